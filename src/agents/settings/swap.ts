import { spawnSync } from 'node:child_process'
import { renameSync, type BigIntStats } from 'node:fs'
import { findProgram } from '../forwarder/command.ts'

/**
 * `renameat2` and its like on macOS: two names change places in one step. Node cannot call it; Perl, which the
 * forwarder runs on anyway, can without any module.
 */
const systemCalls: Readonly<Record<string, { readonly number: number; readonly currentDirectory: number }>> =
  {
    'linux x64': { number: 316, currentDirectory: -100 },
    'linux arm64': { number: 276, currentDirectory: -100 },
    'darwin x64': { number: 488, currentDirectory: -2 },
    'darwin arm64': { number: 488, currentDirectory: -2 },
  }

/** Ends with 0: swapped; 1: as before, as another file or none stood there; 2: it cannot be done here. */
const script = `
my ($call, $at, $a, $b, $dev, $ino) = @ARGV;
sub swap { syscall($call + 0, $at + 0, $a, $at + 0, $b, 2) == 0 }
sub is_expected { my ($d, $i) = stat $_[0]; defined $i && $d == $dev && $i == $ino }
is_expected($b) or exit 1;
swap() or exit(-e $b ? 2 : 1);
is_expected($a) and exit 0;
swap() or rename $a, $b;
exit 1;
`

/**
 * Gives the file `temporary` the name `target`, if the file `expected` has it at that moment: between a last look and
 * a plain rename another program can put a new file there, which would be lost. False: another file has it, and keeps
 * it. Afterwards `temporary` is what was replaced, or gone.
 *
 * Where two names cannot be swapped (no Perl, another system, some network file systems) it is that plain rename.
 */
export function replaceIfSame(temporary: string, target: string, expected: BigIntStats): boolean {
  const call = systemCalls[`${process.platform} ${process.arch}`]
  const perl = findProgram('perl', process.env['PATH'], ['/usr/bin'])
  if (call && perl !== undefined) {
    const { number, currentDirectory } = call
    const words = [number, currentDirectory, temporary, target, expected.dev, expected.ino].map(String)
    const { status } = spawnSync(perl, ['-e', script, ...words], { stdio: 'ignore', env: { LC_ALL: 'C' } })
    if (status === 0 || status === 1) return status === 0
  }
  renameSync(temporary, target)
  return true
}
