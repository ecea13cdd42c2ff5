import { kept } from '@ithings/contract/text.ts'
import ipaddr from 'ipaddr.js'

/** Stored as they are, because columns are searched and compared. */
const inside = '内网IP'
export const unknown = '未知'

/** What a column of the logs says about a place or a browser, for whoever reads it. */
export const placeText = (text: string): string => (text === inside || text === unknown ? kept(text) : text)

const localRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** http-api.md 2.7: local addresses are shown as 内网IP; others stay unknown, because nothing leaves the installation. */
export function locate(ip: string): string {
  if (!ipaddr.isValid(ip)) return unknown
  return localRanges.has(ipaddr.process(ip).range()) ? inside : unknown
}
