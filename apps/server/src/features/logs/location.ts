import ipaddr from 'ipaddr.js'

const localRanges = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat', 'unspecified'])

/** http-api.md 2.7: local addresses are shown as 内网IP; others stay unknown, because nothing leaves the installation. */
export function locate(ip: string): string {
  if (!ipaddr.isValid(ip)) return '未知'
  return localRanges.has(ipaddr.process(ip).range()) ? '内网IP' : '未知'
}
