import { badField } from '@ithings/contract/errors.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'

/** Needs the lock of all scenes. Follows the actions from scene to scene: none may come back to where it began. */
export async function refuseLoops(db: Db, sceneID: number): Promise<void> {
  const edges = await db
    .selectFrom('scene_reference')
    .innerJoin('scene', 'scene.id', 'scene_reference.scene_id')
    .select(['scene_id', 'target', 'scene.name'])
    .where('kind', '=', 'scene')
    .execute()
  const names = new Map(edges.map((edge) => [edge.scene_id, edge.name]))
  const runs = new Map<number, number[]>()
  for (const edge of edges) runs.set(edge.scene_id, [...(runs.get(edge.scene_id) ?? []), Number(edge.target)])
  const seen = new Set<number>()
  const paths: number[][] = [[sceneID]]
  for (let path = paths.shift(); path; path = paths.shift()) {
    for (const next of runs.get(path.at(-1) ?? 0) ?? []) {
      if (next === sceneID) {
        const quoted = (one: number) => phrase('「{name}」', { name: names.get(one) ?? one })
        const ring = [...path.slice(1), next].reduce(
          (before, one) => phrase('{before} → {after}', { before, after: quoted(one) }),
          quoted(sceneID),
        )
        throw badField('then', '场景不能循环执行：{ring}', { ring })
      }
      if (seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
}
