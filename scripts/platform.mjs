// The machines we promise to run on, and what this one is. Runs on the machine's own Node, which may be 20.
import { say } from './words.mjs'

/** What `npm start` must work on: see README.md. Linux means glibc. */
export const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']

/** Which C library a Linux has: native parts are built for one of the two. */
function libc() {
  if (process.platform !== 'linux') return undefined
  // Without this the report would look up the names of all open connections.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = /** @type {{ header: { glibcVersionRuntime?: string } }} */ (process.report.getReport())
  return header.glibcVersionRuntime ? 'glibc' : 'musl'
}

/** @typedef {{ name: string, libc: string | undefined }} Machine */

/** @type {Machine | undefined} */
let known

/** @returns {Machine} */
export function thisMachine() {
  known ??= { name: `${process.platform}-${process.arch}`, libc: libc() }
  return known
}

/** @param {Machine} machine */
export const machineText = (machine) => `${machine.name}${machine.libc ? ` (${machine.libc})` : ''}`

/** What to do when a part does not run here, in one sentence. @param {Machine} machine */
export function adviceFor(machine) {
  if (machine.libc === 'musl')
    return say('Alpine and other systems with musl are not supported: use Debian, Ubuntu or Fedora.')
  if (!platforms.includes(machine.name))
    return say('This machine is not supported (supported: {platforms}): see README.md.', {
      platforms: platforms.join(', '),
    })
  return say('Remove the folder node_modules and run the same command again; if that does not help, see README.md.')
}
