// The PostgreSQL programs of the packages run on this machine. Runs on our own Node, in a process of its own.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { findNative } from '../apps/server/src/engines/embedded-pg/native.ts'

/** What they say of themselves, found the way the server finds them. */
export async function postgresVersions() {
  const { initdb, postgres } = await findNative(undefined, '')
  return [initdb, postgres].map((program) =>
    execFileSync(program, ['--version'], { encoding: 'utf8', timeout: 60_000, stdio: 'pipe' }).trim(),
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) console.log(await postgresVersions())
