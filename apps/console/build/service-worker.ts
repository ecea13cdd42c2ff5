/** Writes sw.js: the worker of offline support with the list of the files that it keeps. */
import { readdir, readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const worker = new URL('service-worker.js', import.meta.url)
const pictures = new URL('../public', import.meta.url)

export function serviceWorker(): Plugin {
  return {
    name: 'ithings:service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const assets = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
        const kept = [...assets.sort(), ...(await readdir(pictures)).filter((name) => name.endsWith('.svg'))]
        const source = `const kept = ${JSON.stringify(kept)}\n${await readFile(worker, 'utf8')}`
        this.emitFile({ type: 'asset', fileName: 'sw.js', source })
      },
    },
  }
}
