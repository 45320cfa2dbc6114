/** Why the system refused a path, in plain words; for messages of {@link ../core/errors.ts}. */
export function fileProblem(error: unknown): string {
  const known = words.get(errorCode(error) ?? '')
  return known ?? (error instanceof Error ? error.message : String(error))
}

/** The `code` of a system error, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const words = new Map([
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the quota is used up'],
  ['EISDIR', 'it is a directory, not a file'],
  ['ENOTDIR', 'a part of the path is a file, not a directory'],
  ['ENOENT', 'it does not exist'],
  ['ELOOP', 'its symbolic links run in a circle'],
  ['ENAMETOOLONG', 'the path is too long'],
])
