import type { DataOf } from '@ithings/contract/endpoint.ts'
import type { readDemo } from '@ithings/contract/features/demo.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { useConfirm } from '#kit/confirm.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { DemoOffer } from '../first-steps/demo-offer.tsx'
import { JobProgress } from '../job-progress.tsx'
import './demo.css'
import { useDemo, useDemoWork } from './demo-query.ts'

type Demo = DataOf<typeof readDemo>

const what =
  '四类产品（智慧水泵站、三相智能电表、楼宇网关与空气传感器、冷链追踪器）、200 台设备、分组、场景、告警、固件升级与七天历史数据；在线的设备由平台模拟，会上报并响应指令。'

function DemoState({ demo }: { demo: Demo }) {
  const confirm = useConfirm()
  const { remove, changed } = useDemoWork()
  if (demo.jobID !== '') return <JobProgress key={demo.jobID} jobID={demo.jobID} onEnd={() => void changed()} />
  if (demo.state === 'none') {
    return demo.empty ? (
      <DemoOffer />
    ) : (
      <p className="meta">{t('平台上已有自己的产品。演示数据只能加载到没有产品的平台，避免与真实数据混在一起。')}</p>
    )
  }
  const ask = () =>
    confirm({
      title: t('移除演示数据'),
      danger: true,
      okText: t('移除'),
      content: t(
        '将删除 {products} 个演示产品及其 {devices} 台设备（包括之后在这些产品下新增的设备）、历史数据、分组、场景、告警与升级任务，无法恢复。自己创建的产品不受影响。',
        { products: demo.products, devices: demo.devices },
      ),
      onOk: remove,
    })
  return (
    <>
      <p>{t('已加载：{products} 个产品，{devices} 台设备。', { products: demo.products, devices: demo.devices })}</p>
      <Button onClick={ask}>{t('移除演示数据')}</Button>
    </>
  )
}

/** In the settings: what the demo fleet is, and the way to load or remove it. */
export function DemoCard() {
  const demo = useDemo()
  if (!demo.isEnabled) return null
  return (
    <section className="list-card demo-card touches above-16" aria-labelledby="demo-title">
      <h2 id="demo-title" className="title below-8">
        {t('演示数据')}
      </h2>
      <p className="meta">{t(what)}</p>
      <Loaded compact query={demo} subject={t('演示数据')} rows={1}>
        {(data) => <DemoState demo={data} />}
      </Loaded>
    </section>
  )
}
