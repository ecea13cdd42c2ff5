/** The guides of the platform, for assistants that read them: our own words, in both languages. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ReadResourceResult, type Resource, ResourceNotFoundError } from '@modelcontextprotocol/server'

const docs = fileURLToPath(new URL('../../../../../docs', import.meta.url))
const mimeType = 'text/markdown'

const folders = { zh: docs, en: join(docs, 'en') } as const

interface Guide {
  resource: Resource
  text: string
}

/** A guide is there in both languages; other documents are for who works on the platform. */
async function readGuides(): Promise<Map<string, Guide>> {
  const guides = new Map<string, Guide>()
  const files = (await readdir(folders.en).catch(() => [])).filter((file) => file.endsWith('.md')).toSorted()
  for (const file of files) {
    for (const [language, folder] of Object.entries(folders)) {
      const text = await readFile(join(folder, file), 'utf8').catch(() => '')
      const name = file.slice(0, -'.md'.length)
      const uri = `ithings://guides/${language}/${name}`
      const title = /^# (.+)$/m.exec(text)?.[1] ?? name
      if (text !== '') guides.set(uri, { text, resource: { uri, name: `${language}/${name}`, title, mimeType } })
    }
  }
  return guides
}

export function makeGuides() {
  let read: Promise<Map<string, Guide>> | undefined
  const all = () => {
    read ??= readGuides()
    return read
  }
  return {
    list: async (): Promise<Resource[]> => [...(await all()).values()].map(({ resource }) => resource),
    async read(uri: string): Promise<ReadResourceResult> {
      const guide = (await all()).get(uri)
      if (!guide) throw new ResourceNotFoundError(uri)
      return { contents: [{ uri, mimeType, text: guide.text }] }
    },
  }
}
