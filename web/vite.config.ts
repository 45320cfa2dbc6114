import { defineConfig } from 'vite'

/** Browsers that know `light-dark()`: all of 2024 and later. */
const browsers = ['chrome123', 'firefox120', 'safari17.5']

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: browsers,
    cssTarget: browsers,
    // Everything under assets/ is named by its content, and may be kept for good.
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: true,
  },
  server: {
    // A page under development talks to a bridge on its usual port.
    proxy: Object.fromEntries(
      ['/api', '/sessions', '/status', '/ws'].map((path) => [
        path,
        { target: 'http://127.0.0.1:8787', ws: path === '/ws' },
      ]),
    ),
  },
})
