import { DeleteOutlined } from '@ant-design/icons'
import {
  type DeadLetter,
  deleteDeadLetters,
  type ForwardRule,
  type ForwardSource,
  forwardSourceLabels,
  resendDeadLetters,
} from '@ithings/contract/features/forwarding/rules.ts'
import { t } from '@ithings/contract/text.ts'
import { useQuery } from '@tanstack/react-query'
import { App, Button } from 'antd'
import { DeviceLink } from '#blocks/device-link.tsx'
import { useActs } from '#blocks/rollout/use-acts.ts'
import type { FilterField, ListColumn } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { SideDrawer } from '#kit/side-drawer.tsx'
import { Loaded } from '#kit/states/loaded.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { inParts } from '../letter-body.ts'
import { lettersPrefix } from '../letters-url.ts'
import { forwardQuery, lettersQuery, useDeleteLetters, useResendLetters } from '../queries.ts'
import { sourceText } from '../words.ts'
import { LetterModal } from './letter-modal.tsx'

interface Filters {
  deviceName?: string
  source?: ForwardSource
}

const filters: FilterField[] = [
  { name: 'deviceName', label: '设备名称', control: 'text', width: 160 },
  {
    name: 'source',
    label: '来源',
    control: 'select',
    options: Object.entries(forwardSourceLabels).map(([value, label]) => ({ value, label })),
    width: 136,
  },
]

const columnsOf = (onShow: (letter: DeadLetter) => void): ListColumn<DeadLetter>[] => [
  {
    key: 'createdTime',
    title: t('被拒时间'),
    sorter: true,
    hideable: false,
    phone: 'title',
    time: 'log',
  },
  {
    key: 'device',
    title: t('设备'),
    phone: 'subtitle',
    render: (_value, letter) =>
      letter.deviceName ? <DeviceLink device={letter} /> : <span className="no-value">—</span>,
    exportText: ({ deviceName }) => deviceName,
  },
  { key: 'source', title: t('来源'), width: 112, phone: 'meta', exportText: ({ source }) => sourceText(source) },
  {
    key: 'reason',
    title: t('原因'),
    truncate: 300,
    phone: 'meta',
    render: (_value, letter) => (
      <button type="button" className="plain-button start error-text" onClick={() => onShow(letter)}>
        {letter.reason}
      </button>
    ),
    exportText: ({ reason }) => reason,
  },
  { key: 'time', title: t('发生时间'), sorter: true, hiddenAtFirst: true, time: 'log' },
  { key: 'messageID', title: t('消息编号'), dataIndex: 'messageID', hiddenAtFirst: true, truncate: 200 },
  { key: 'body', title: t('消息内容'), dataIndex: 'body', hiddenAtFirst: true, truncate: 240 },
]

/** One call takes so many. */
const most = { resend: 100, delete: 1_000 }

/** What is done with several letters, asked for first, in as many calls as it takes. */
function useLetterActs(ruleID: number) {
  const { message } = App.useApp()
  const { ask } = useActs()
  const resend = useResendLetters()
  const remove = useDeleteLetters()
  const idsOf = (letters: readonly DeadLetter[]) => letters.map(({ id }) => id)
  const resendAll = async (letters: readonly DeadLetter[]) => {
    let [sent, refused] = [0, 0]
    for (const letterIDs of inParts(idsOf(letters), most.resend)) {
      const answer = await resend.mutateAsync({ id: ruleID, letterIDs })
      sent += answer.sent
      refused += answer.refused
    }
    if (refused > 0) void message.warning(t('已重发 {sent} 条，{refused} 条仍被拒绝', { sent, refused }))
    else void message.success(t('已重发 {count, number} 条', { count: sent }))
  }
  return {
    resend: (letters: readonly DeadLetter[], clear: () => void) =>
      ask({
        title: t('重发 {count, number} 条死信？', { count: letters.length }),
        content: t('按原样再发送一次，编号不变；仍被拒绝的留在这里。'),
        okText: t('重发'),
        work: () => resendAll(letters).then(clear),
      }),
    remove: (letters: readonly DeadLetter[], clear?: () => void) =>
      ask({
        title: t('删除 {count, number} 条死信？', { count: letters.length }),
        content: t('这些消息不会再发送，删除后无法恢复。'),
        danger: true,
        okText: t('删除'),
        work: async () => {
          for (const letterIDs of inParts(idsOf(letters), most.delete))
            await remove.mutateAsync({ id: ruleID, letterIDs })
          clear?.()
        },
        done: t('删除成功'),
      }),
    removeAll: ({ name, deadLetters }: ForwardRule) =>
      ask({
        title: t('删除「{name}」的全部 {count, number} 条死信？', { name, count: deadLetters }),
        content: t('包括筛选条件之外的死信。这些消息不会再发送，删除后无法恢复。'),
        danger: true,
        okText: t('全部删除'),
        work: () => remove.mutateAsync({ id: ruleID }),
        done: ({ deleted }) => t('已删除 {count, number} 条', { count: deleted }),
      }),
  }
}

function Letters({ rule }: { rule: ForwardRule }) {
  const { about: letter, open, session, show, close } = useDialog<DeadLetter>()
  const acts = useLetterActs(rule.id)
  return (
    <>
      <ListPage<DeadLetter, Filters>
        embedded
        title={t('死信')}
        urlPrefix={lettersPrefix}
        filters={filters}
        columns={columnsOf(show)}
        rowKey={({ id }) => String(id)}
        storageKey="forward-letters"
        defaultSort="createdTime.2"
        query={({ page, filters: wanted }) => lettersQuery({ id: rule.id, page, ...wanted })}
        exportName={t('死信-{name}', { name: rule.name })}
        toolbar={
          rule.deadLetters > 0 && (
            <May needs={deleteDeadLetters}>
              <Button type="text" icon={<DeleteOutlined />} onClick={() => acts.removeAll(rule)}>
                {t('全部删除')}
              </Button>
            </May>
          )
        }
        selection={{
          unit: t('条'),
          needs: [resendDeadLetters, deleteDeadLetters],
          actions: (letters, clear) => (
            <>
              <May needs={resendDeadLetters}>
                <Button type="text" onClick={() => acts.resend(letters, clear)}>
                  {t('重发')}
                </Button>
              </May>
              <May needs={deleteDeadLetters}>
                <Button type="text" onClick={() => acts.remove(letters, clear)}>
                  {t('删除')}
                </Button>
              </May>
            </>
          ),
        }}
        rowActions={(one) => [
          { key: 'view', label: t('查看'), onClick: () => show(one) },
          {
            key: 'delete',
            label: t('删除'),
            needs: deleteDeadLetters,
            danger: true,
            onClick: () => acts.remove([one]),
          },
        ]}
        empty={{ title: t('没有死信'), text: t('接收方明确拒绝的消息留在这里，可以查看、修改后重发。') }}
      />
      {letter && <LetterModal key={session} ruleID={rule.id} letter={letter} open={open} onClose={close} />}
    </>
  )
}

interface LettersDrawerProps {
  ruleID: number
  open: boolean
  onClose: () => void
}

export function LettersDrawer({ ruleID, open, onClose }: LettersDrawerProps) {
  const rule = useQuery({ ...forwardQuery(ruleID), enabled: open })
  return (
    <SideDrawer
      title={rule.data ? t('「{name}」的死信', { name: rule.data.name }) : t('死信')}
      open={open}
      onClose={onClose}
      width={1040}
      keep
    >
      <Loaded query={rule} subject={t('死信')}>
        {(one) => <Letters rule={one} />}
      </Loaded>
    </SideDrawer>
  )
}
