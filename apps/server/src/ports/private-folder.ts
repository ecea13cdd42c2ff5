/** A folder that no other account of the machine can look into, and with it all that lies below. */
import { chmod, mkdir } from 'node:fs/promises'

export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  // One from before, or from somebody else, who then answers for it. Windows has no such rights.
  await chmod(path, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error
  })
}
