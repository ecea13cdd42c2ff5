/**
 * Who refers to a property, event or action? Higher features register themselves in app/
 * (architecture.md "Look-ups upward").
 */
import type { Db } from '#db/schema.ts'

export interface ModelReference {
  identifier: string
  /** What kind of thing refers, a kept word: 历史数据, 场景, 告警 ... */
  kind: string
  title: string
  count: number
}

export type FindReferences = (db: Db, productID: string, identifiers: string[]) => Promise<ModelReference[]>

export interface ModelReferences {
  register(find: FindReferences): void
  find: FindReferences
}

export function makeModelReferences(): ModelReferences {
  const finders: FindReferences[] = []
  return {
    register: (find) => void finders.push(find),
    find: async (db, productID, identifiers) =>
      (await Promise.all(finders.map((find) => find(db, productID, identifiers)))).flat(),
  }
}
