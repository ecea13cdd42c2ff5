import { t } from '@ithings/contract/text.ts'
import { type ComponentType, createElement, lazy, useState } from 'react'
import { useLanguage } from '#language/language.ts'

/** spec 9: chunk load time-out. */
export const chunkTimeout = 120_000

/** spec 8: a script or stylesheet of a screen that fails or does not come in time raises an error. */
export class ChunkLoadError extends Error {
  override name = 'ChunkLoadError'
}

export function withinTime<T>(work: Promise<T>, limit: number = chunkTimeout): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ChunkLoadError(t('页面资源在 {count} 秒内未加载完成', { count: limit / 1000 }))),
      limit,
    )
    work.then(resolve, (cause: unknown) => {
      reject(new ChunkLoadError(t('页面资源加载失败'), { cause }))
    })
    work.finally(() => clearTimeout(timer)).catch(() => undefined)
  })
}

/**
 * A part that is loaded when it is shown, or ahead. React shows the spinner for a lazy part even when its script is there
 * already, and then for 300 ms at least: what came ahead is drawn at once.
 */
export function lazyScreen(load: () => Promise<ComponentType>) {
  let known: ComponentType | undefined
  const fetch = async () => {
    known = await withinTime(load())
    return { default: known }
  }
  const Later = lazy(fetch)
  function Screen() {
    // Once for as long as it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType>(() => known ?? Later)
    useLanguage()
    return createElement(Shown)
  }
  return Object.assign(Screen, { ahead: fetch })
}
