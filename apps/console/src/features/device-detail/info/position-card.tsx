import { type Device, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { App, Button } from 'antd'
import { useId, useState } from 'react'
import { PositionInput } from '#blocks/device/position-input.tsx'
import { keyOf, useUpdateDevice } from '#blocks/device/queries.ts'
import { Facts } from '#blocks/facts.tsx'
import { PointMap } from '#kit/map/point-map.tsx'
import { useMay } from '#kit/rights.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { Card } from '../card.tsx'
import { draftOf, type PositionDraft, positionChange, samePlace } from './position-draft.ts'

const mapHeight = 280
const noMarkers: [] = []

/** screens.md 6.1: the marker moves freely; nothing is stored before 保存. Typing works without the map. */
export function PositionCard({ device }: { device: Device }) {
  const { message } = App.useApp()
  const id = useId()
  const update = useUpdateDevice()
  const movable = useMay()(updateDevice)
  const stored = draftOf(device)
  const [moved, setMoved] = useState<{ to: PositionDraft | undefined }>()
  const draft = moved ? moved.to : stored
  const dirty = moved !== undefined && !samePlace(draft, stored)
  const change = positionChange(draft)

  const save = () => {
    if ('problem' in change) return
    update.mutate(
      { ...keyOf(device), position: change.position },
      {
        onSuccess: () => {
          setMoved(undefined)
          void message.success(t('更新成功'))
        },
      },
    )
  }
  const undo = () => {
    setMoved(undefined)
    update.reset()
  }
  const point = 'position' in change && draft ? change.position : undefined
  return (
    // Buttons and problem stand in the head: the map below does not move while one types.
    <Card
      title={t('设备定位')}
      note={'problem' in change ? <span className="tone-error">{change.problem}</span> : t('百度坐标（BD09）')}
      extra={
        dirty && (
          <>
            <Button disabled={update.isPending} onClick={undo}>
              {t('撤销')}
            </Button>
            <Button type="primary" loading={update.isPending} disabled={'problem' in change} onClick={save}>
              {t('保存')}
            </Button>
          </>
        )
      }
    >
      <Facts facts={[{ label: t('详细地址'), value: device.address }]} />
      <div className="above-12" style={{ maxWidth: 480 }}>
        <PositionInput
          id={id}
          value={draft}
          onChange={(to) => setMoved({ to })}
          disabled={update.isPending || !movable}
        />
      </div>
      {update.isError && (
        <p className="tone-error bare above-8" role="alert">
          {t('未保存：{reason}', { reason: describeError(update.error).reason })}
        </p>
      )}
      <div className="above-12">
        <PointMap
          height={mapHeight}
          label={t('设备 {name} 的位置', { name: device.deviceName })}
          markers={movable || !point ? noMarkers : [{ ...point, id: '', tone: 'processing', text: device.deviceName }]}
          {...(movable && { editable: { value: point, onChange: (to) => setMoved({ to }) } })}
        />
      </div>
      {movable && (
        <p className="meta bare above-8">
          {t('在地图上点选或移动标记，或直接填写经纬度；保存后生效，两项都清空表示没有位置。')}
        </p>
      )}
    </Card>
  )
}
