import {
  type ConfigPush,
  cancelConfigPush,
  PushStatus,
  pushStatusLabels,
} from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Tooltip } from 'antd'
import { useLivePolling } from '#api/live.ts'
import { stateColumn, timeColumn } from '#blocks/rollout/columns.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import { optionsOf } from '#blocks/rollout/words.ts'
import { StackedProgress } from '#blocks/stacked-progress.tsx'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { pushStatusLooks } from '../labels.ts'
import { pushesQuery, usePushSend } from '../queries.ts'
import './pushes.css'
import { numberText } from '#kit/number-text.ts'

interface PushesTabProps {
  productID: string
  onOpen: (runID: string) => void
  /** Undefined: there is nothing to send yet. */
  onPush: (() => void) | undefined
}

const fields: FilterField[] = [
  { name: 'status', label: '状态', control: 'select', options: optionsOf(pushStatusLabels) },
  { name: 'configID', label: '版本编号', control: 'text' },
]

interface Filters {
  status?: PushStatus
  configID?: string
}

/** 已送达 8 / 10 beside its bar. */
export function PushProgress({
  push: { runID, delivered, failed, total },
  thick = false,
}: {
  push: ConfigPush
  thick?: boolean
}) {
  return (
    <span className="config-progress row gap-8">
      <StackedProgress
        thick={thick}
        label={t('下发 {runID} 的进度', { runID })}
        total={total}
        parts={[
          { label: t('已送达'), value: delivered, tone: 'success' },
          { label: t('失败'), value: failed, tone: 'error' },
        ]}
      />
      <span className="meta">
        {numberText(delivered)} / {numberText(total)}
      </span>
    </span>
  )
}

const columnsOf = (): ListColumn<ConfigPush>[] => [
  { key: 'runID', title: t('编号'), dataIndex: 'runID', width: 80, sorter: true, hideable: false, phone: 'title' },
  { key: 'configID', title: t('版本'), dataIndex: 'configID', width: 80, sorter: true, phone: 'meta' },
  { key: 'scope', title: t('范围', { context: 'target' }), dataIndex: 'scope', truncate: 240, phone: 'subtitle' },
  stateColumn(pushStatusLooks, ({ status }) => status, {
    width: 136,
    sorter: false,
    render: (_value, { status, reason }) => (
      <Tooltip title={reason}>
        <span>
          <StatusTag looks={pushStatusLooks} value={status} />
        </span>
      </Tooltip>
    ),
  }),
  {
    key: 'progress',
    title: t('已送达'),
    width: 176,
    phone: 'meta',
    render: (_value, push) => <PushProgress push={push} />,
  },
  {
    key: 'pending',
    title: t('等待', { context: 'count' }),
    width: 80,
    hiddenAtFirst: true,
    align: 'right',
    render: (_value, { pending }) => numberText(pending),
  },
  {
    key: 'failed',
    title: t('失败'),
    width: 64,
    align: 'right',
    render: (_value, { failed }) => (failed > 0 ? <span className="tone-error">{numberText(failed)}</span> : '0'),
  },
  { key: 'userName', title: t('操作人'), dataIndex: 'userName', width: 128, hiddenAtFirst: true },
  timeColumn('startedTime', t('下发时间'), { width: 112, phone: 'meta' }),
]

export const isOpen = ({ status }: Pick<ConfigPush, 'status'>): boolean =>
  status === PushStatus.running || status === PushStatus.waiting

/** Asks, then ends a push; what was delivered stays delivered. */
export function useCancelPush() {
  const { ask } = useActs()
  const send = usePushSend()
  return ({ runID, pending, delivered }: ConfigPush) =>
    ask({
      title: t('取消下发 {runID}？', { runID }),
      content: t(
        '还在等待的 {pending, number} 台设备不再下发；已送达的 {delivered, number} 台不受影响。设备主动请求时仍会得到最新版本。',
        { pending, delivered },
      ),
      okText: t('取消下发'),
      danger: true,
      work: () => send(cancelConfigPush, { runID }),
      done: t('已取消下发 {runID}', { runID }),
    })
}

export function PushesTab({ productID, onOpen, onPush }: PushesTabProps) {
  const refetchInterval = useLivePolling()
  const cancel = useCancelPush()
  return (
    <ListPage<ConfigPush, Filters>
      embedded
      title={t('下发记录', { context: 'config' })}
      exportName={t('下发记录', { context: 'config' })}
      urlPrefix="p."
      filters={fields}
      columns={columnsOf()}
      rowKey="runID"
      storageKey="config-pushes"
      query={({ page, filters: { status, configID } }) => ({
        ...pushesQuery({
          productID,
          page,
          ...(status && { status }),
          // A text that is no number asks for a version that cannot be.
          ...(configID && { configID: /^[1-9]\d{0,8}$/.test(configID) ? configID : 999_999_999 }),
        }),
        refetchInterval,
      })}
      rowActions={(push) => [
        { key: 'open', label: t('查看'), onClick: () => onOpen(push.runID) },
        {
          key: 'cancel',
          label: t('取消'),
          needs: cancelConfigPush,
          danger: true,
          onClick: () => cancel(push),
          ...(!isOpen(push) && { disabled: true, hint: t('已经结束') }),
        },
      ]}
      empty={{
        title: t('还没有下发'),
        text: t('保存只留下版本，下发后设备才会收到；设备也可以随时主动请求最新版本。'),
        ...(onPush && { action: <Button onClick={onPush}>{t('下发配置')}</Button> }),
      }}
    />
  )
}
