import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import type * as z from 'zod'
import { useMemo } from '#language/use-memo.ts'

export type UrlPatch<T> = { [K in keyof T]?: T[K] | undefined }
export type SetUrlState<T> = (patch: UrlPatch<T>, options?: { replace?: boolean }) => void

type Raw = string | string[] | undefined

function readRaw(params: URLSearchParams, name: string): Raw {
  const all = params.getAll(name)
  return all.length > 1 ? all : all[0]
}

/** The state of a query: absent or refused values take their default, so that a hand-edited link never breaks a page. */
export function parseUrlState<S extends z.ZodObject>(
  schema: S,
  defaults: z.output<S>,
  params: URLSearchParams,
  prefix = '',
): z.output<S> {
  const given = defaults as Record<string, unknown>
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, field]) => {
    const raw = readRaw(params, prefix + name)
    if (raw === undefined) return [name, given[name]]
    const parsed = field.safeParse(raw)
    return [name, parsed.success ? parsed.data : given[name]]
  })
  return Object.fromEntries(fields) as z.output<S>
}

const isDefault = (value: unknown, fallback: unknown) =>
  value === undefined || value === null || value === '' || JSON.stringify(value) === JSON.stringify(fallback)

/** Writes only what differs from the defaults: links stay short and other parameters stay untouched. */
export function writeUrlState(
  params: URLSearchParams,
  patch: Record<string, unknown>,
  defaults: Record<string, unknown>,
  prefix = '',
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(patch)) {
    next.delete(prefix + name)
    if (isDefault(value, defaults[name])) continue
    for (const one of Array.isArray(value) ? value : [value]) next.append(prefix + name, String(one))
  }
  return next
}

/** Filters, page, sort and tab live in the URL, so links are shareable and Back works (screens.md 0.2). */
export function useUrlState<S extends z.ZodObject>(
  schema: S,
  defaults: z.output<S>,
  prefix = '',
): [z.output<S>, SetUrlState<z.output<S>>] {
  const [params, setParams] = useSearchParams()
  const state = useMemo(() => parseUrlState(schema, defaults, params, prefix), [schema, defaults, params, prefix])
  const set = useCallback<SetUrlState<z.output<S>>>(
    (patch, options) =>
      setParams((before) => writeUrlState(before, patch, defaults as Record<string, unknown>, prefix), {
        replace: options?.replace ?? false,
      }),
    [setParams, defaults, prefix],
  )
  return [state, set]
}
