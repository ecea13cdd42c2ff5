import { deleteShadow, sendProperty } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import { hasShadow } from '@ithings/contract/thing-model/model.ts'
import { Table } from 'antd'
import { Facts } from '#blocks/facts.tsx'
import { TypedValue } from '#blocks/typed-value/typed-value.tsx'
import { May } from '#kit/rights.tsx'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { usePhone } from '#kit/use-phone.ts'
import type { ShadowLine } from './shadow-rows.ts'

const syncLooks: StatusLooks = {
  none: { text: '未设置', tone: 'default', ring: true },
  waiting: { text: '待同步', tone: 'warning' },
  synced: { text: '已同步', tone: 'success' },
  apart: { text: '不一致', tone: 'error' },
  leftover: { text: '已失效', tone: 'default' },
}

interface ShadowTableProps {
  lines: readonly ShadowLine[]
  onSet: (line: ShadowLine) => void
  onClear: (line: ShadowLine) => void
}

const Delivered = ({ line }: { line: ShadowLine }) =>
  !line.desired ? (
    <span className="no-value">—</span>
  ) : line.desired.updatedDeviceTime === 0 ? (
    <span className="meta">{line.state === 'leftover' ? t('不会下发') : t('未下发')}</span>
  ) : (
    <TimeText value={line.desired.updatedDeviceTime} />
  )

function Actions({ line, onSet, onClear }: ShadowTableProps & { line: ShadowLine }) {
  const { name } = line.property
  return (
    <span className="shadow-actions inline-row touches softer gap-16">
      {hasShadow(line.property) && (
        <May needs={sendProperty}>
          <button
            type="button"
            className="plain-button"
            aria-label={t('设置期望值：{name}', { name })}
            onClick={() => onSet(line)}
          >
            {t('设置期望值')}
          </button>
        </May>
      )}
      {line.desired && (
        <May needs={deleteShadow}>
          <button
            type="button"
            className="plain-button"
            aria-label={t('清除：{name}的期望值', { name })}
            onClick={() => onClear(line)}
          >
            {t('清除')}
          </button>
        </May>
      )}
    </span>
  )
}

const Desired = ({ line }: { line: ShadowLine }) =>
  line.desired ? (
    <TypedValue define={line.property.define} text={line.desired.value} />
  ) : (
    <span className="no-value">—</span>
  )

export function ShadowTable(props: ShadowTableProps) {
  const phone = usePhone()
  if (phone) {
    return (
      <ul className="shadow-cards bare-list stack gap-12">
        {props.lines.map((line) => (
          <li key={line.property.identifier} className="boxed">
            <div className="flex between top gap-8">
              <span>
                {line.property.name} <code className="mono-payload meta">{line.property.identifier}</code>
              </span>
              <StatusTag looks={syncLooks} value={line.state} />
            </div>
            <Facts
              className="facts-wide"
              facts={[
                { label: t('上报值'), value: <TypedValue define={line.property.define} text={line.reported} /> },
                { label: t('期望值'), value: <Desired line={line} /> },
                { label: t('取走时间'), value: <Delivered line={line} /> },
              ]}
            />
            <Actions {...props} line={line} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table<ShadowLine>
      className="flush-table"
      aria-label={t('设备影子')}
      size="medium"
      pagination={false}
      dataSource={[...props.lines]}
      rowKey={({ property }) => property.identifier}
      scroll={{ x: 'max-content' }}
      columns={[
        {
          key: 'name',
          title: t('属性'),
          render: (_, { property }) => (
            <>
              <div>{property.name}</div>
              <code className="mono-payload meta">{property.identifier}</code>
            </>
          ),
        },
        {
          key: 'reported',
          title: t('上报值'),
          render: (_, line) => (
            <>
              <TypedValue define={line.property.define} text={line.reported} />
              <div className="meta">
                <TimeText value={line.reportedTime} />
              </div>
            </>
          ),
        },
        {
          key: 'desired',
          title: t('期望值'),
          render: (_, line) => (
            <>
              <Desired line={line} />
              {line.desired && line.desired.setTime > 0 && (
                <div className="meta">
                  <TimeText value={line.desired.setTime} /> {line.desired.userName}
                </div>
              )}
            </>
          ),
        },
        { key: 'state', title: t('是否一致'), render: (_, { state }) => <StatusTag looks={syncLooks} value={state} /> },
        { key: 'delivered', title: t('更新到设备时间'), render: (_, line) => <Delivered line={line} /> },
        { key: 'actions', title: t('操作'), render: (_, line) => <Actions {...props} line={line} /> },
      ]}
    />
  )
}
