/** For programs that run the daemon inside themselves. */
export { loadConfig, type Config } from '../config/config.ts'
export { startDaemon, type Daemon, type DaemonOptions } from './daemon.ts'
