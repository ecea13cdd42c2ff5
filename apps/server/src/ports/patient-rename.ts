/** Renames as the systems do it: at once, but Windows refuses while a virus scanner or an indexer looks at a new file. */
import { rename } from 'node:fs/promises'

const refusals = ['EPERM', 'EACCES', 'EBUSY']
const patience = 3000
const firstPause = 10

export async function patientRename(
  from: string,
  to: string,
  platform = process.platform,
  renameOnce: (from: string, to: string) => Promise<void> = rename,
): Promise<void> {
  const deadline = Date.now() + patience
  for (let pause = firstPause; ; pause *= 2) {
    try {
      return await renameOnce(from, to)
    } catch (error) {
      const passes = platform === 'win32' && refusals.includes((error as NodeJS.ErrnoException).code ?? '')
      if (!passes || Date.now() + pause > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }
}
