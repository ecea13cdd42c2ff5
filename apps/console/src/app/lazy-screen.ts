import { type ComponentType, lazy } from 'react'

/** spec 9: chunk load time-out. */
export const chunkTimeout = 120_000

/** spec 8: a script or stylesheet of a screen that fails or does not come in time raises an error. */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

export function withinTime<T>(work: Promise<T>, limit: number = chunkTimeout): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError(`页面资源在 ${limit / 1000} 秒内未加载完成`)), limit)
    work.then(resolve, (cause: unknown) => {
      reject(new ChunkLoadError('页面资源加载失败', { cause }))
    })
    work.finally(() => clearTimeout(timer)).catch(() => undefined)
  })
}

export const lazyScreen = (load: () => Promise<ComponentType>) =>
  lazy(async () => ({ default: await withinTime(load()) }))
