import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { enabledLooks } from '#blocks/enabled-status.ts'
import type { ListColumn } from '#kit/list-page/list-contract.ts'
import { scenePath } from '#kit/paths.ts'
import { labelOf, StatusTag } from '#kit/status-tag.tsx'
import { sceneRole } from '../../scene-role.ts'

const sentenceText = (parts: readonly { text: string }[]): string => parts.map(({ text }) => text).join('')

function SceneRoleTags({ scene }: { scene: Scene }) {
  const { raises, clears } = sceneRole(scene)
  return (
    <span className="inline-row gap-4">
      {raises && <StatusTag filled tone="error" text={t('触发告警')} />}
      {clears && <StatusTag filled tone="success" text={t('解除告警')} />}
      {!raises && !clears && <StatusTag filled tone="warning" text={t('无告警动作')} />}
    </span>
  )
}

export const sceneColumns: ListColumn<Scene>[] = [
  {
    key: 'name',
    title: '场景名称',
    dataIndex: 'name',
    hideable: false,
    phone: 'title',
    truncate: 240,
    render: (_value, row) => <Link to={scenePath(row.id)}>{row.name}</Link>,
  },
  {
    key: 'role',
    title: '作用',
    phone: 'meta',
    render: (_value, row) => <SceneRoleTags scene={row} />,
  },
  {
    key: 'triggerType',
    title: '触发类型',
    phone: 'meta',
    render: (_value, row) => labelOf(triggerTypeLabels, row.triggerType),
  },
  {
    key: 'triggerText',
    title: '触发条件',
    truncate: 400,
    phone: 'subtitle',
    render: (_value, row) => sentenceText(row.triggerText) || <span className="no-value">—</span>,
  },
  {
    key: 'status',
    title: '状态',
    phone: 'status',
    render: (_value, row) => <StatusTag looks={enabledLooks} value={row.status} />,
  },
]
