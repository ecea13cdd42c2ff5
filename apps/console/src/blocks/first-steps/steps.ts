/** The way from an empty platform to the first value of an own device. Pure. */

import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readFirstSteps } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { deviceDetailPath, paths, productPath } from '#kit/paths.ts'

export type StepFacts = DataOf<typeof readFirstSteps>
export type StepKey = 'product' | 'model' | 'device' | 'connected' | 'value'

export interface Step {
  key: StepKey
  title: string
  text: string
  done: boolean
  /** Where it is done; undefined: a step before it is missing. */
  to: string | undefined
  action: string
}

/** Tabs of a device (blocks/device/tabs.ts), whose names would bring the whole contract of products into the frame. */
const credentialsTab = 8
const statusTab = 9

export function stepsOf(facts: StepFacts): Step[] {
  const { productID, deviceName } = facts
  const ofProduct = (path: string) => (productID === '' ? undefined : path)
  const ofDevice = (tab: number) => (deviceName === '' ? undefined : deviceDetailPath({ productID, deviceName }, tab))
  return [
    {
      key: 'product',
      title: t('新增产品'),
      text: t('产品是一类相同设备的模板，例如“水泵站”。只需要一个名称，其他可以以后再改。'),
      done: facts.product,
      to: paths.products,
      action: t('新增产品'),
    },
    {
      key: 'model',
      title: t('定义物模型'),
      text: t('说明设备能上报什么：添加一个属性，例如“压力”，标识符 pressure，类型为浮点型。'),
      done: facts.model,
      to: ofProduct(productPath(productID, 'model')),
      action: t('定义物模型'),
    },
    {
      key: 'device',
      title: t('新增设备'),
      text: t('给设备起一个名称，例如 pump1。平台会为它生成密钥。'),
      done: facts.device,
      to: ofProduct(`${paths.devices}?${new URLSearchParams({ productID })}`),
      action: t('新增设备'),
    },
    {
      key: 'connected',
      title: t('连接设备'),
      text: t('用下面的参数连接，或复制一个程序直接运行。连接成功后这里会自动打勾。'),
      done: facts.connected,
      to: ofDevice(credentialsTab),
      action: t('打开密钥页'),
    },
    {
      key: 'value',
      title: t('收到第一个值'),
      text: t('设备上报一次属性。上面的程序连接后会立即上报；值会出现在“设备状态”里，不用刷新页面。'),
      done: facts.value,
      to: ofDevice(statusTab),
      action: t('查看设备状态'),
    },
  ]
}

/** The one to do now; undefined: all are done. */
export const nextStep = (steps: readonly Step[]): Step | undefined => steps.find(({ done }) => !done)
