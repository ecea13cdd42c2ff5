/** The command history as a table: who, when, what, the reply and how long it took (screens.md 6.2). */

import { type CommandRow, commandKindLabels } from '@ithings/contract/features/commands.ts'
import { t } from '@ithings/contract/text.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import './command-history.css'
import { describeCommand, latencyText, latencyTone, outcomeOfRow } from './command-words.ts'

export const commandColumns = (model: ThingModel | undefined): ListColumn<CommandRow>[] => [
  { key: 'sentTime', title: t('时间'), dataIndex: 'sentTime', phone: 'subtitle', time: 'log' },
  { key: 'kind', title: t('类型'), exportText: (row) => labelOf(commandKindLabels, row.kind), phone: 'meta' },
  {
    key: 'what',
    title: t('内容'),
    render: (_, row) => (
      <span className="inline-block anywhere" style={{ maxWidth: 360 }}>
        {describeCommand(row, model)}
      </span>
    ),
    exportText: (row) => describeCommand(row, model),
    phone: 'title',
    hideable: false,
  },
  {
    key: 'state',
    title: t('结果'),
    render: (_, row) => {
      const { tone, label } = outcomeOfRow(row)
      return <StatusTag filled tone={tone} text={label} />
    },
    exportText: (row) => t(outcomeOfRow(row).label),
    phone: 'status',
  },
  {
    key: 'latency',
    title: t('用时'),
    align: 'end',
    render: (_, row) =>
      Number(row.doneTime) > 0 && !row.viaShadow ? (
        <span className={`tone-${latencyTone(row.latency)}`}>{latencyText(row.latency)}</span>
      ) : (
        <span className="no-value">—</span>
      ),
    exportText: (row) => (Number(row.doneTime) > 0 && !row.viaShadow ? row.latency : ''),
    phone: 'meta',
  },
  { key: 'userName', title: t('操作人'), exportText: (row) => row.userName || t('系统'), phone: 'meta' },
  {
    key: 'clientToken',
    title: t('请求编号'),
    render: (_, row) => <Copyable text={row.clientToken} maxWidth={160} />,
    exportText: (row) => row.clientToken,
  },
  {
    key: 'payload',
    title: t('下发内容'),
    hiddenAtFirst: true,
    truncate: 240,
    dataIndex: 'payload',
    render: (_, row) => <code className="mono-payload">{row.payload}</code>,
  },
  {
    key: 'reply',
    title: t('设备回复'),
    hiddenAtFirst: true,
    truncate: 240,
    dataIndex: 'reply',
    render: (_, row) => <code className="mono-payload">{row.reply}</code>,
  },
]

/** Opened below a row: what went out, what came back, and what that means. */
export function CommandDetail({ row }: { row: CommandRow }) {
  const { text, tone } = outcomeOfRow(row)
  return (
    <>
      {text && <p className={`command-why line-20 small tone-${tone}`}>{text}</p>}
      <div className="command-detail grid gap-16">
        <section>
          <h4 className="meta">{t('下发内容')}</h4>
          <JsonView value={row.payload} maxHeight={240} />
        </section>
        <section>
          <h4 className="meta">{t('设备回复')}</h4>
          {row.reply ? (
            <JsonView value={row.reply} maxHeight={240} />
          ) : (
            <span className="no-value">{t('没有回复')}</span>
          )}
        </section>
      </div>
    </>
  )
}
