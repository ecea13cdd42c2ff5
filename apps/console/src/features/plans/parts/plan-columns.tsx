import type { Plan } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { countsText, originLabels, planLooks, proposerText, titleOf } from '../plan-words.ts'

/** @param open shows what a plan changes */
export const planColumns = (open: (id: number) => void): ListColumn<Plan>[] => [
  {
    key: 'title',
    title: t('标题'),
    sorter: true,
    hideable: false,
    truncate: 280,
    phone: 'title',
    render: (_value, plan) => (
      <button type="button" className="plain-button cut start link inline-block" onClick={() => open(plan.id)}>
        {titleOf(plan)}
      </button>
    ),
    exportText: titleOf,
  },
  { key: 'state', title: t('状态'), sorter: true, width: 112, phone: 'status', looks: planLooks },
  {
    key: 'counts',
    title: t('改动'),
    width: 220,
    phone: 'subtitle',
    exportText: countsText,
    fields: { creates: t('新增'), updates: t('修改'), deletes: t('删除') },
  },
  {
    key: 'createdBy',
    title: t('提出人'),
    truncate: 200,
    phone: 'meta',
    exportText: proposerText,
    fields: { createdBy: t('提出人'), keyName: t('密钥') },
  },
  { key: 'origin', title: t('来源'), width: 112, phone: 'hide', labels: originLabels },
  { key: 'createdTime', title: t('提出时间'), sorter: true, width: 184, phone: 'meta', time: 'exact' },
  { key: 'decidedBy', title: t('决定人'), dataIndex: 'decidedBy', width: 120, phone: 'hide' },
  { key: 'decidedTime', title: t('决定时间'), width: 184, phone: 'hide', time: 'exact', hiddenAtFirst: true },
]
