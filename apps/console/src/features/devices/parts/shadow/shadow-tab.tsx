import { type Device, OnlineState } from '@ithings/contract/features/devices/info.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button, Segmented, Skeleton } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useConfirm } from '#kit/confirm.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { StaleBanner } from '#kit/states/stale-banner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { deviceTitle } from '../../labels.ts'
import { latestQuery, shadowQuery, useClearShadow } from '../../live-queries.ts'
import { Card } from '../detail/card.tsx'
import { ModelGate } from '../detail/model-gate.tsx'
import { productDetailPath } from '../detail/paths.ts'
import { DesiredModal } from './desired-modal.tsx'
import './shadow.css'
import { deleteShadow } from '@ithings/contract/features/devices/interact.ts'
import { updateSchema } from '@ithings/contract/features/products/schema.ts'
import { May } from '#kit/rights.tsx'
import { type ShadowLine, shadowDocument, shadowLines } from './shadow-rows.ts'
import { ShadowTable } from './shadow-table.tsx'

function useClear(device: Device) {
  const { message } = App.useApp()
  const confirm = useConfirm()
  const { mutateAsync } = useClearShadow(device)
  return (lines: readonly ShadowLine[]) =>
    confirm({
      title: lines.length === 1 ? `清除「${lines[0]?.property.name}」的期望值？` : `清除 ${lines.length} 个期望值？`,
      content: `还没有被设备取走的期望值不会再下发；设备「${deviceTitle(device)}」已上报的值不变。`,
      danger: true,
      okText: '清除',
      onOk: async () => {
        await mutateAsync(lines.map(({ property }) => property.identifier))
        void message.success('清除成功')
      },
    })
}

const NoShadow = ({ productID }: { productID: string }) => (
  <StateBlock
    variant="empty"
    title="没有属性启用设备影子"
    text="影子为离线的设备保存期望值，设备上线后取走。在产品的物模型里编辑属性，打开「设备影子」后，它会出现在这里。"
    action={
      <May needs={updateSchema}>
        {' '}
        <Link to={`${productDetailPath(productID)}?tab=model`}>
          <Button type="primary">去物模型启用</Button>
        </Link>
      </May>
    }
  />
)

function Shadow({ device, model }: { device: Device; model: ThingModel }) {
  const [view, setView] = useState<'table' | 'json'>('table')
  const [edited, setEdited] = useState<{ line: ShadowLine; open: boolean; count: number }>()
  const latest = useQuery(latestQuery(device))
  const shadow = useQuery(shadowQuery(device))
  const clear = useClear(device)
  const failed = shadow.isError ? shadow : latest
  if (failed.isError && (!shadow.data || !latest.data)) {
    return (
      <ErrorState
        subject="设备影子"
        error={failed.error}
        retrying={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    )
  }
  if (!shadow.data || !latest.data) return <Skeleton active paragraph={{ rows: 8 }} />
  const lines = shadowLines(model, latest.data.list, shadow.data.list)
  if (lines.length === 0) return <NoShadow productID={device.productID} />
  const wished = lines.filter(({ desired }) => desired !== undefined)
  const waiting = lines.filter(({ state }) => state === 'waiting').length
  const edit = (line: ShadowLine) => setEdited((before) => ({ line, open: true, count: (before?.count ?? 0) + 1 }))
  return (
    <Card
      title="设备影子"
      note={
        waiting > 0
          ? `${waiting} 个期望值待同步，设备${device.isOnline === OnlineState.online ? '下次读取状态' : '上线后读取状态'}时取走`
          : '离线时也能设置期望值，设备上线后自己来取'
      }
      extra={
        <>
          <Segmented
            aria-label="显示方式"
            value={view}
            options={[
              { value: 'table', label: '表格' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={setView}
          />
          <May needs={deleteShadow}>
            <Button disabled={wished.length === 0} onClick={() => clear(wished)}>
              清除全部
            </Button>
          </May>
        </>
      }
    >
      {failed.isError && (
        <StaleBanner
          error={failed.error}
          updatedAt={failed.dataUpdatedAt}
          retrying={failed.isFetching}
          onRetry={() => void failed.refetch()}
        />
      )}
      {view === 'json' ? (
        <JsonView
          value={shadowDocument(lines)}
          fileName={`${device.deviceName}-shadow.json`}
          maxHeight={560}
          openLevels={3}
        />
      ) : (
        <ShadowTable lines={lines} onSet={edit} onClear={(line) => clear([line])} />
      )}
      {edited && (
        <DesiredModal
          key={edited.count}
          device={device}
          line={edited.line}
          open={edited.open}
          onClose={() => setEdited({ ...edited, open: false })}
        />
      )}
    </Card>
  )
}

/** screens.md 6.8: reported, desired and what is still apart. */
export function ShadowTab({ device }: { device: Device }) {
  return <ModelGate productID={device.productID}>{(model) => <Shadow device={device} model={model} />}</ModelGate>
}
