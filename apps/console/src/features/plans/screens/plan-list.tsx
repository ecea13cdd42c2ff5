import { type Plan, planStateLabels, readPlan } from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import { useSearchParams } from 'react-router'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { ListPage } from '#kit/list-page/list-page.tsx'
import { useMemo } from '#language/use-memo.ts'
import { planColumns } from '../parts/plan-columns.tsx'
import { PlanDrawer } from '../parts/plan-drawer.tsx'
import { plansQuery } from '../queries.ts'

interface Filters {
  title?: string
  state?: number
}

const filters: FilterField[] = [
  { name: 'title', label: '标题', control: 'text' },
  {
    name: 'state',
    label: '状态',
    control: 'select',
    options: Object.entries(planStateLabels).map(([value, label]) => ({ value: Number(value), label })),
  },
]

/** A program may propose at any moment. */
const lookAgainMs = 15_000

/** 系统管理 / 配置计划: what was proposed or applied, seen as a difference, approved, refused or undone. */
export function PlanList() {
  const [params, setParams] = useSearchParams()
  const id = Number(params.get('plan')) || 0
  const show = (plan: number) =>
    setParams((before) => {
      if (plan === 0) before.delete('plan')
      else before.set('plan', String(plan))
      return before
    })
  const columns = useMemo(() => planColumns(show), [])
  return (
    <>
      <ListPage<Plan, Filters>
        title={t('配置计划')}
        subtitle={t('命令行和助手提出的改动在这里对比、批准或拒绝；已应用的可以撤销')}
        filters={filters}
        columns={columns}
        rowKey="id"
        storageKey="plans"
        query={({ page, filters: given }) => ({
          ...plansQuery({ page, ...given } as Parameters<typeof plansQuery>[0]),
          refetchInterval: lookAgainMs,
        })}
        rowActions={({ id: plan }) => [{ key: 'read', label: t('查看'), needs: readPlan, onClick: () => show(plan) }]}
        exportName={t('配置计划')}
        index
        empty={{
          title: t('还没有配置计划'),
          text: t('用命令行或助手提出改动后，先在这里看到差异；批准之前什么都不会变。'),
        }}
      />
      {id > 0 && <PlanDrawer key={id} id={id} open onClose={() => show(0)} />}
    </>
  )
}
