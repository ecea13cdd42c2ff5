/** Connections go only where the guard lets them, and what it refuses is told in its words. */
import { isIP } from 'node:net'
import type { Phrase } from '@ithings/contract/text.ts'
import { AddressRefused, addressRefused } from '#ports/address-refused.ts'
import { type ForwardGuard, TargetAway } from '#ports/forward-target.ts'
import { networkFault } from '#ports/network-fault.ts'
import { saidBy, stopped } from './away.ts'

const bare = (host: string): string => host.replace(/^\[|\]$/g, '')

/** Nobody looks up an address that is written as numbers: it is judged here. @throws AddressRefused */
export function checkAddress(guard: ForwardGuard, host: string): void {
  const address = bare(host)
  if (isIP(address) !== 0 && !guard.allows(address)) throw addressRefused(address)
}

/** One address that may be connected to. */
export async function resolveAddress(guard: ForwardGuard, host: string): Promise<string> {
  checkAddress(guard, host)
  const address = bare(host)
  if (isIP(address) !== 0) return address
  return new Promise((resolve, reject) => {
    guard.lookup(address, { all: false }, (error, found) => {
      if (error) reject(error)
      else resolve(String(found))
    })
  })
}

const errorsIn = (error: Error): unknown[] => [error.cause, ...(error instanceof AggregateError ? error.errors : [])]

/** The first error that fits, of one that may hold others. */
export function findError<E extends Error>(error: unknown, fits: (one: Error) => one is E): E | undefined {
  if (!(error instanceof Error)) return undefined
  if (fits(error)) return error
  for (const inner of errorsIn(error)) {
    const found = findError(inner, fits)
    if (found) return found
  }
  return undefined
}

const isSaid = (error: Error): error is AddressRefused | TargetAway =>
  error instanceof AddressRefused || error instanceof TargetAway

/** What the guard (or we) said about it, whatever a library has wrapped it in. */
export const wordsIn = (error: unknown): Phrase | undefined => findError(error, isSaid)?.words

/** The innermost reason, of several tries that of the last: a library's own words around it say less. */
export function reasonOf(error: unknown): Phrase | string {
  if (!(error instanceof Error)) return saidBy(String(error))
  const inner = errorsIn(error).findLast((one) => one instanceof Error)
  if (inner) return reasonOf(inner)
  const fault = networkFault(error)
  // What it has no words for, it quotes.
  return fault.values ? saidBy(error.message || error.name) : fault
}

export const throwIfStopped = (signal: AbortSignal): void => {
  if (signal.aborted) throw stopped()
}
