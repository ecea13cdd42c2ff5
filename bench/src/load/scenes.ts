/** Scenes and alarms for the bench: written straight into the tables, as ten thousand calls would take minutes. */
import type pg from 'pg'

const trigger = (productID: string, deviceName: string | undefined, term: string, value: number, more = '') =>
  `{"device":[{"productID":"${productID}","selector":"${deviceName ? 'fixed' : 'all'}",` +
  `"selectorValues":[${deviceName ? `"${deviceName}"` : ''}],"operator":"reportProperty",` +
  `"operationSchema":{"dataID":["level"],"termType":"${term}","values":["${value}"]}${more}}],"timer":null}`

const raising = JSON.stringify([
  { executor: 'alarm', delay: null, device: null, alarm: { mode: 'trigger' }, notify: null, scene: null },
])

async function insertScenes(database: pg.Client, prefix: string, triggers: string[]): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `insert into scene (name, trigger_type, trigger, conditions, actions)
     select $1 || n, 'device', trigger, '[]', $3 from unnest($2::text[]) with ordinality as t (trigger, n) returning id`,
    [prefix, triggers, raising],
  )
  return rows.map((row) => row.id)
}

/** goals.md "Ingest": 100 enabled scenes, 20 of them linked to an alarm each and firing every ten seconds a device. */
export async function makeUsualRules(database: pg.Client, productID: string): Promise<void> {
  const firing = Array.from({ length: 20 }, (_, i) => trigger(productID, `d${i}`, 'gte', 0, ',"minInterval":10'))
  const watching = Array.from({ length: 80 }, (_, i) =>
    trigger(productID, i % 2 === 0 ? undefined : `d${i}`, i % 4 < 2 ? 'gt' : 'lt', i % 4 < 2 ? 6 + i : -1 - i),
  )
  const scenes = await insertScenes(database, '台架告警场景', firing)
  await insertScenes(database, '台架场景', watching)
  await database.query(
    `with made as (
       insert into alarm (name, level) select '台架告警' || n, 1 + n % 5 from generate_series(1, $1::int) as n returning id
     ), numbered as (select id, row_number() over (order by id) as n from made)
     insert into alarm_scene (alarm_id, scene_id)
     select numbered.id, scene.id from numbered join unnest($2::int[]) with ordinality as scene (id, n) using (n)`,
    [scenes.length, scenes],
  )
}

/** goals.md "Scenes": half of them about one device each, half about all devices of the product. */
export async function makeManyScenes(database: pg.Client, productID: string, count: number, devices: number) {
  const triggers = Array.from({ length: count }, (_, i) =>
    i % 2 === 0
      ? trigger(productID, `d${i % devices}`, i % 4 === 0 ? 'gt' : 'lt', i % 4 === 0 ? 6 + i : -1 - i)
      : trigger(productID, undefined, i % 4 === 1 ? 'gt' : 'lt', i % 4 === 1 ? 6 + i : -1 - i),
  )
  await insertScenes(database, '台架万条场景', triggers)
}

/** Answers a report above the limit of the value with a command to the same device; without a name of any device. */
export async function makeAnsweringScene(database: pg.Client, productID: string, deviceName?: string): Promise<void> {
  const actions = JSON.stringify([
    {
      executor: 'device',
      delay: null,
      device: {
        productID,
        selector: 'trigger',
        selectorValues: [],
        type: 'propertyControl',
        dataID: '',
        value: '{"pump_on":0}',
      },
      alarm: null,
      notify: null,
      scene: null,
    },
  ])
  await database.query(
    `insert into scene (name, trigger_type, trigger, conditions, actions) values ('台架应答', 'device', $1, '[]', $2)`,
    [trigger(productID, deviceName, 'gt', 5), actions],
  )
}
