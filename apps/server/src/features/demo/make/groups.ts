import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import type { Loading } from '../demo-deps.ts'
import { airSensor, buildingGateway } from '../fleet/building.ts'
import { regionsFor } from '../fleet/cities.ts'
import { coldChain } from '../fleet/cold-chain.ts'
import type { DemoProduct } from '../fleet/demo-product.ts'
import { smartMeter } from '../fleet/smart-meter.ts'
import { waterPump } from '../fleet/water-pump.ts'
import { makeMarked } from '../items.ts'
import type { MadeDevice } from './devices.ts'

export interface MadeGroups {
  water: number
}

const trees: Array<{ name: string; part: string; desc: string; products: DemoProduct[] }> = [
  { name: '智慧水务', part: '{region}水务', desc: '城市二次供水泵站', products: [waterPump] },
  { name: '能源计量', part: '{region}计量', desc: '工商业用电计量', products: [smartMeter] },
  { name: '楼宇自控', part: '{region}楼宇', desc: '写字楼网关与空气传感器', products: [buildingGateway, airSensor] },
  { name: '冷链物流', part: '{region}冷链', desc: '冷藏车与保温箱', products: [coldChain] },
]

export async function makeGroups({ deps: { db, ask }, user, t }: Loading, devices: MadeDevice[]): Promise<MadeGroups> {
  const tags = [{ key: t('来源'), value: t('演示') }]
  const make = (groupName: string, desc: string, parentID?: number): Promise<number> =>
    makeMarked(db, 'group', groupName, async () => {
      const { groupID } = await ask(createGroup, { groupName, desc, tags, ...(parentID && { parentID }) }, user)
      return Number(groupID)
    })
  let water = 0
  for (const { name, part, desc, products } of trees) {
    const top = await make(t(name), t(desc))
    if (products.includes(waterPump)) water = top
    for (const region of regionsFor(user.language)) {
      const list = devices
        .filter(({ planned }) => products.includes(planned.product) && planned.place.region === region)
        .map(({ planned }) => ({ productID: planned.product.productID, deviceName: planned.deviceName }))
      if (list.length === 0) continue
      const groupID = await make(t(part, { region }), t('{region}地区', { region }), top)
      await ask(addGroupDevices, { groupID, list }, user)
    }
  }
  return { water }
}
