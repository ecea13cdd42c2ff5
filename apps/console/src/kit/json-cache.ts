import { t } from '@ithings/contract/text.ts'

// spec 7: a generic JSON cache over the browser's storage. spec 8: a failing read or write raises an error with the cause.

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

export class LocalCacheError extends Error {
  override name = 'LocalCacheError'
}

/** The stored value, or undefined when the key is absent. */
export function readCache(key: string, storage: Storage = localStorage): unknown {
  try {
    const text = storage.getItem(key)
    return text === null ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new LocalCacheError(t('本地缓存读取失败：{reason}', { reason: reason(cause) }), { cause })
  }
}

export function writeCache(key: string, value: unknown, storage: Storage = localStorage): void {
  try {
    storage.setItem(key, JSON.stringify(value))
  } catch (cause) {
    throw new LocalCacheError(t('本地缓存存储失败：{reason}', { reason: reason(cause) }), { cause })
  }
}

export function dropCache(key: string, storage: Storage = localStorage): void {
  try {
    storage.removeItem(key)
  } catch (cause) {
    throw new LocalCacheError(t('本地缓存存储失败：{reason}', { reason: reason(cause) }), { cause })
  }
}

/** What a preference needs: a broken or blocked store must not break the page, so the fallback is taken. */
export function readCacheOr<T>(key: string, parse: (value: unknown) => T, fallback: T, storage?: Storage): T {
  try {
    const value = readCache(key, storage)
    return value === undefined ? fallback : parse(value)
  } catch {
    return fallback
  }
}
