/** What virtual devices say themselves; an English fleet has English devices. */
import type { Language } from '@ithings/contract/text.ts'

const zh = {
  failed: '升级失败',
  broken: '写入失败',
  downloading: '下载中',
  installing: '安装中',
  done: '安装完成',
  noProperty: (identifier: string) => `没有属性 ${identifier}`,
  readOnly: (identifier: string) => `属性 ${identifier} 只读`,
  noAction: (identifier: string) => `没有行为 ${identifier}`,
  outOfOrder: '设备故障，无法执行',
  wrongStatus: (status: number) => `下载失败：HTTP ${status}`,
  wrongLength: '下载失败：长度不符',
  noConnection: '下载失败：无法连接',
  wrongDigest: (name: string) => `校验失败：${name}`,
  /** Of what it measures as a text; the first is the usual one. */
  states: ['运行正常', '待机', '自检完成', '通信良好', '等待指令'] as [string, ...string[]],
}
export type DeviceWords = typeof zh

const en: DeviceWords = {
  failed: 'Upgrade failed',
  broken: 'Writing failed',
  downloading: 'Downloading',
  installing: 'Installing',
  done: 'Installed',
  noProperty: (identifier) => `There is no property ${identifier}`,
  readOnly: (identifier) => `Property ${identifier} is read-only`,
  noAction: (identifier) => `There is no action ${identifier}`,
  outOfOrder: 'The device is out of order',
  wrongStatus: (status) => `Download failed: HTTP ${status}`,
  wrongLength: 'Download failed: wrong length',
  noConnection: 'Download failed: no connection',
  wrongDigest: (name) => `Wrong digest: ${name}`,
  states: ['Running normally', 'Standby', 'Self-test done', 'Link is good', 'Waiting for orders'],
}

const words: Record<Language, DeviceWords> = { zh, en }
export const deviceWords = (language: Language = 'zh'): DeviceWords => words[language]
