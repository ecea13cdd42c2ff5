/** What went wrong in the last seven days, the same in values, alarms and runs of scenes. Pure. */
import { hourMs } from '@ithings/contract/durations.ts'
import { airSensor } from './building.ts'
import { makeChance } from './chance.ts'
import { coldChain } from './cold-chain.ts'
import { smartMeter } from './smart-meter.ts'
import { waterPump } from './water-pump.ts'

export type AlarmKey = 'dryRun' | 'overTemp' | 'overheat' | 'voltage' | 'co2'

export interface Incident {
  alarm: AlarmKey
  productID: string
  deviceName: string
  /** Property, and what it was. */
  dataID: string
  value: number
  /** ms */
  at: number
}

/** One record: occurrences of an alarm on a device, oldest first, and how it ended. */
export interface IncidentRecord {
  alarm: AlarmKey
  incidents: Incident[]
  end: 'open' | 'handled' | 'cleared'
}

interface Kind {
  alarm: AlarmKey
  productID: string
  dataID: string
  values: [number, number]
  digits: number
  /** Devices with how often, hours ago of the last one, and the end. */
  on: Array<[deviceName: string, times: number, hoursAgo: number, end: IncidentRecord['end']]>
}

const kinds: Kind[] = [
  {
    alarm: 'dryRun',
    productID: waterPump.productID,
    dataID: 'inletPressure',
    values: [0.008, 0.02],
    digits: 3,
    on: [
      ['pump-012', 1, 0.7, 'open'],
      ['pump-023', 2, 61, 'handled'],
      ['pump-003', 1, 130, 'handled'],
    ],
  },
  {
    alarm: 'overTemp',
    productID: coldChain.productID,
    dataID: 'cargoTemp',
    values: [8.6, 12.4],
    digits: 1,
    on: [
      ['cold-004', 5, 1.3, 'open'],
      ['cold-011', 3, 5.2, 'open'],
      ['cold-002', 2, 27, 'cleared'],
      ['cold-009', 4, 49, 'cleared'],
      ['cold-016', 1, 76, 'handled'],
      ['cold-008', 3, 121, 'cleared'],
    ],
  },
  {
    alarm: 'overheat',
    productID: waterPump.productID,
    dataID: 'motorTemp',
    values: [81, 94],
    digits: 1,
    on: [
      ['pump-005', 4, 2.1, 'open'],
      ['pump-017', 2, 8.4, 'open'],
      ['pump-031', 6, 33, 'handled'],
      ['pump-009', 3, 70, 'handled'],
      ['pump-021', 2, 101, 'cleared'],
      ['pump-014', 1, 149, 'handled'],
    ],
  },
  {
    alarm: 'voltage',
    productID: smartMeter.productID,
    dataID: 'voltageA',
    values: [243, 252],
    digits: 1,
    on: [
      ['meter-008', 3, 3.6, 'open'],
      ['meter-023', 7, 11, 'open'],
      ['meter-044', 2, 19, 'open'],
      ['meter-057', 4, 42, 'handled'],
      ['meter-014', 2, 66, 'cleared'],
      ['meter-035', 5, 92, 'handled'],
      ['meter-061', 1, 118, 'cleared'],
      ['meter-002', 3, 140, 'handled'],
    ],
  },
  {
    alarm: 'co2',
    productID: airSensor.productID,
    dataID: 'co2',
    values: [1_110, 1_480],
    digits: 0,
    on: [
      ['air-023', 4, 4.4, 'open'],
      ['air-051', 2, 6.8, 'open'],
      ['air-085', 3, 25, 'cleared'],
      ['air-012', 6, 31, 'cleared'],
      ['air-064', 2, 54, 'handled'],
      ['air-113', 5, 79, 'cleared'],
      ['air-034', 3, 104, 'cleared'],
      ['air-072', 4, 127, 'cleared'],
    ],
  },
]

export function incidentRecords(now: number): IncidentRecord[] {
  return kinds.flatMap(({ alarm, productID, dataID, values, digits, on }) =>
    on.map(([deviceName, times, hoursAgo, end]) => {
      const chance = makeChance(`${alarm}/${deviceName}`)
      const hours = [hoursAgo]
      while (hours.length < times) hours.unshift((hours[0] ?? 0) + chance.between(1.2, 4))
      const incidents = hours.map((ago) => ({
        alarm,
        productID,
        deviceName,
        dataID,
        value: Number(chance.between(...values).toFixed(digits)),
        at: Math.round(now - ago * hourMs),
      }))
      return { alarm, incidents, end }
    }),
  )
}

export const incidentsOf = (deviceName: string, now: number): Incident[] =>
  incidentRecords(now).flatMap(({ incidents }) => incidents.filter((one) => one.deviceName === deviceName))
