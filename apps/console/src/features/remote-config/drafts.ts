/** What was typed for each product and is not saved yet; kept while another product is looked at and over a reload. */
import type { ConfigVersion } from '@ithings/contract/features/remote-config.ts'
import { useCallback, useEffect, useState } from 'react'
import * as z from 'zod'
import { dropCache, readCacheOr, writeCache } from '#kit/json-cache.ts'

const draft = z.object({
  content: z.string(),
  note: z.string(),
  /** The newest version when the typing began; 0: there was none. */
  basedOn: z.number(),
})
export type Draft = z.output<typeof draft>
const stored = z.record(z.string(), draft)
type Drafts = Readonly<Record<string, Draft>>

/** The text that a product without a configuration begins with. */
export const firstText = '{\n  \n}'

export const draftOf = ({ id, content }: ConfigVersion): Draft => ({
  content: id === 0 ? firstText : content,
  note: '',
  basedOn: id,
})

/** A note alone is nothing that could be saved. */
export const isChanged = (one: Draft, latest: ConfigVersion): boolean => one.content !== draftOf(latest).content

const storageKey = (userID: string) => `iThings-config-drafts-${userID}`

export interface KeptDrafts {
  drafts: Drafts
  set: (productID: string, next: Draft | undefined) => void
}

export function useDrafts(userID: string): KeptDrafts {
  const key = storageKey(userID)
  const [drafts, setDrafts] = useState<Drafts>(() => readCacheOr(key, stored.parse, {}, sessionStorage))
  useEffect(() => {
    try {
      writeCache(key, drafts, sessionStorage)
    } catch {
      // A full store keeps nothing over a reload; the screen still has it, and the browser asks before closing.
    }
  }, [key, drafts])
  // Whoever leaves the screen was asked and gave the drafts up; a reload does not come through here.
  useEffect(() => () => dropCache(key, sessionStorage), [key])
  const set = useCallback(
    (productID: string, next: Draft | undefined) =>
      setDrafts(({ [productID]: _, ...rest }) => (next ? { ...rest, [productID]: next } : rest)),
    [],
  )
  return { drafts, set }
}
