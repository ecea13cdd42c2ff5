import { airSensor, buildingGateway } from './building.ts'
import { coldChain } from './cold-chain.ts'
import type { DemoProduct } from './demo-product.ts'
import { smartMeter } from './smart-meter.ts'
import { waterPump } from './water-pump.ts'

export const demoProducts: readonly DemoProduct[] = [waterPump, smartMeter, buildingGateway, airSensor, coldChain]

/** What virtual devices of these products measure. */
export const demoCurvesOf = (productID: string): DemoProduct['curves'] | undefined =>
  demoProducts.find((one) => one.productID === productID)?.curves
