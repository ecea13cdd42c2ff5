import { PlusOutlined } from '@ant-design/icons'
import {
  createForward,
  type ForwardRule,
  type ForwardStatus,
  forwardStatusLabels,
} from '@ithings/contract/features/forwarding/rules.ts'
import { type TargetType, targetTypeLabels, targetTypes } from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { selectField } from '#blocks/rollout/words.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { May } from '#kit/rights.tsx'
import { useDialog } from '#kit/use-dialog.ts'
import { useLettersUrl } from '../letters-url.ts'
import { forwardColumns } from '../parts/forward-columns.tsx'
import { useForwardActions } from '../parts/use-forward-actions.tsx'
import { forwardsQuery } from '../queries.ts'

// Behind their buttons: the list does not wait for them.
const CreateForwardForm = lazy(async () => ({
  default: (await import('../parts/forward-form.tsx')).CreateForwardForm,
}))
const EditForwardForm = lazy(async () => ({ default: (await import('../parts/forward-form.tsx')).EditForwardForm }))
const RecentDrawer = lazy(async () => ({ default: (await import('../parts/recent-drawer.tsx')).RecentDrawer }))
const LettersDrawer = lazy(async () => ({ default: (await import('../parts/letters-drawer.tsx')).LettersDrawer }))
const ReplayModal = lazy(async () => ({ default: (await import('../parts/replay-modal.tsx')).ReplayModal }))

interface ForwardFilters {
  name?: string
  status?: ForwardStatus
  type?: TargetType
}

const filters: FilterField[] = [
  { name: 'name', label: '名称', control: 'text', width: 176 },
  selectField('status', '状态', forwardStatusLabels),
  {
    name: 'type',
    label: '目标类型',
    control: 'select',
    options: targetTypes.map((value) => ({ value, label: targetTypeLabels[value] })),
    width: 208,
  },
]

type Dialog = { kind: 'create' } | { kind: 'edit' | 'recent' | 'replay'; rule: ForwardRule }

function Dialogs({ about, ...state }: { about: Dialog; open: boolean; onClose: () => void }) {
  switch (about.kind) {
    case 'create':
      return <CreateForwardForm {...state} />
    case 'edit':
      return <EditForwardForm rule={about.rule} {...state} />
    case 'recent':
      return <RecentDrawer rule={about.rule} {...state} />
    case 'replay':
      return <ReplayModal rule={about.rule} {...state} />
  }
}

/** screens.md 33: rules that send what happens to other systems, how they keep up, and what was refused. */
export function ForwardList() {
  const { about, open, session, show, close } = useDialog<Dialog>()
  const letters = useLettersUrl()
  // It keeps its content while it fades out.
  const [seen, setSeen] = useState(letters.ruleID)
  if (letters.ruleID !== undefined && letters.ruleID !== seen) setSeen(letters.ruleID)
  const ways = {
    edit: (rule: ForwardRule) => show({ kind: 'edit', rule }),
    recent: (rule: ForwardRule) => show({ kind: 'recent', rule }),
    replay: (rule: ForwardRule) => show({ kind: 'replay', rule }),
    letters: ({ id }: ForwardRule) => letters.open(id),
  }
  const actionsOf = useForwardActions(ways)
  const create = (
    <May needs={createForward}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => show({ kind: 'create' })}>
        {t('新增转发规则')}
      </Button>
    </May>
  )
  return (
    <>
      <ListPage<ForwardRule, ForwardFilters>
        title={t('数据转发')}
        subtitle={t('把设备数据、告警和操作实时送到其它系统，对方中断时等它恢复后补发')}
        extra={create}
        filters={filters}
        columns={forwardColumns({ onEdit: ways.edit, onLetters: ways.letters })}
        rowKey={({ id }) => String(id)}
        storageKey="forwards"
        query={({ page, filters: wanted }) => forwardsQuery({ page, ...wanted })}
        exportName={t('数据转发')}
        rowActions={actionsOf}
        empty={{
          title: t('还没有转发规则'),
          text: t('规则把属性、事件、上下线、指令、告警或操作日志发往 HTTP、MQTT、Kafka、数据库或文件。'),
          action: create,
        }}
      />
      <Suspense>
        {about && <Dialogs key={session} about={about} open={open} onClose={close} />}
        {seen !== undefined && (
          <LettersDrawer key={seen} ruleID={seen} open={letters.ruleID !== undefined} onClose={letters.close} />
        )}
      </Suspense>
    </>
  )
}
