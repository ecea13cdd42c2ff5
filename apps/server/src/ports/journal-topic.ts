/**
 * How topics lie in the journal. Nearly all of them name the device itself and follow from kind and direction, so
 * they are stored as '' (the usual topic of the kind), '=<start>' (ends in the device's own names) or as they are.
 */
import { JournalKind } from './journal.ts'

export interface TopicOwner {
  kind: number
  up: boolean
  productID: string
  deviceName: string
}

const usualStarts: Partial<Record<number, string>> = {
  [JournalKind.property]: '$thing/up/property',
  [JournalKind.event]: '$thing/up/event',
  [JournalKind.action]: '$thing/up/action',
}
const usualDownStarts: Partial<Record<number, string>> = {
  [JournalKind.property]: '$thing/down/property',
  [JournalKind.event]: '$thing/down/event',
  [JournalKind.action]: '$thing/down/action',
}
const usualStart = ({ kind, up }: TopicOwner) => (up ? usualStarts : usualDownStarts)[kind]

export function shortTopic(topic: string, owner: TopicOwner): string {
  const { productID, deviceName } = owner
  const start = topic.length - productID.length - deviceName.length - 2
  const own =
    start > 0 &&
    topic.charCodeAt(start) === 47 &&
    topic.endsWith(deviceName) &&
    topic.startsWith(productID, start + 1) &&
    topic.charCodeAt(start + 1 + productID.length) === 47
  if (own) {
    const kept = topic.slice(0, start)
    return kept === usualStart(owner) ? '' : `=${kept}`
  }
  // Only these two beginnings, and no topic at all, would be read differently.
  return topic === '' || topic.startsWith('=') || topic.startsWith('!') ? `!${topic}` : topic
}

export function fullTopic(stored: string, owner: TopicOwner): string {
  if (stored === '') return `${usualStart(owner) ?? ''}/${owner.productID}/${owner.deviceName}`
  if (stored.startsWith('=')) return `${stored.slice(1)}/${owner.productID}/${owner.deviceName}`
  return stored.startsWith('!') ? stored.slice(1) : stored
}

/** What a search for a topic has to compare with: of any kind and device, so kinds are named where '' stands for it. */
export interface StoredTopic {
  topic: string
  kind?: number
  up?: boolean
}

/** Forms under which `topic` may lie in the journal; with or without the names of the device at its end. */
export function storedForms(topic: string): StoredTopic[] {
  const forms: StoredTopic[] = [{ topic: topic.startsWith('=') || topic.startsWith('!') ? `!${topic}` : topic }]
  const withoutNames = topic.split('/').slice(0, -2).join('/')
  for (const start of new Set([topic, withoutNames])) {
    if (start === '') continue
    forms.push({ topic: `=${start}` })
    for (const [up, starts] of [
      [true, usualStarts],
      [false, usualDownStarts],
    ] as const) {
      for (const [kind, usual] of Object.entries(starts)) {
        if (usual === start) forms.push({ topic: '', kind: Number(kind), up })
      }
    }
  }
  return forms
}
