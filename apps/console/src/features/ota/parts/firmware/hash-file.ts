/** MD5 and SHA-256 of a file, computed in a worker. */
import { t } from '@ithings/contract/text.ts'
import * as z from 'zod'

const answer = z.union([
  z.object({ done: z.number() }),
  z.object({ md5: z.string(), sha256: z.string() }),
  z.object({ error: z.string() }),
])

export interface FileHashes {
  md5: string
  sha256: string
}

/** @param onProgress 0 to 1 of the bytes read */
export function hashFile(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<FileHashes> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    const end = () => worker.terminate()
    const fail = (why: string) => {
      end()
      reject(new Error(t('无法计算校验值：{why}', { why })))
    }
    signal.addEventListener(
      'abort',
      () => {
        end()
        reject(new DOMException(t('已取消'), 'AbortError'))
      },
      { once: true },
    )
    worker.onerror = ({ message }) => fail(message || t('浏览器不支持'))
    worker.onmessage = ({ data }: MessageEvent<unknown>) => {
      const told = answer.parse(data)
      if ('done' in told) onProgress(file.size > 0 ? told.done / file.size : 0)
      else if ('error' in told) fail(told.error)
      else {
        end()
        resolve(told)
      }
    }
    worker.postMessage(file)
  })
}
