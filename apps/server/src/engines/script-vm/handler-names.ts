/** Functions that the platform calls: `<head><Type>(Up|Down)` (device-protocol.md 9, heads of section 4), and that of forwarding. */
import { forwardHandler } from '@ithings/contract/features/forwarding/rules.ts'

const heads = ['thing', 'ota', 'config', 'log', 'shadow', 'gateway', 'ext']
const known = new RegExp(`^(?:${heads.join('|')})[A-Z][A-Za-z]*(?:Up|Down)$|^${forwardHandler}$`)
const anyHandler = new RegExp(`\\b(?:[a-z]+[A-Z][A-Za-z]*(?:Up|Down)|${forwardHandler})\\b`, 'g')
const maxCandidates = 200

export const isKnownHandler = (name: string): boolean => known.test(name)

/** Words of the script that may name a handler; which of them are functions is asked inside the sandbox. */
export const candidateNames = (script: string): string[] =>
  [...new Set(script.match(anyHandler) ?? [])].slice(0, maxCandidates)
