import { type ClusterDatabase, Durability, durabilityLabels } from '@ithings/contract/features/cluster.ts'
import { t } from '@ithings/contract/text.ts'
import { type StatusLooks, StatusTag } from '#kit/status-tag.tsx'

const looks: StatusLooks = {
  [Durability.one]: { text: durabilityLabels[Durability.one], tone: 'success' },
  [Durability.two]: { text: durabilityLabels[Durability.two], tone: 'success' },
  [Durability.async]: { text: durabilityLabels[Durability.async], tone: 'warning' },
  [Durability.waiting]: { text: durabilityLabels[Durability.waiting], tone: 'error' },
  [Durability.unsafe]: { text: durabilityLabels[Durability.unsafe], tone: 'error' },
}

/** What "stored" means here, in one sentence. */
export const DurabilityText = ({ durability, changesMayBeLost }: ClusterDatabase) => (
  <span className="durability flex wrap gap-4-12">
    <StatusTag looks={looks} value={durability} />
    {changesMayBeLost && (
      <span className="meta">{t('设备消息按此确认；控制台的修改受 synchronous_commit 影响，可能丢失最后几秒')}</span>
    )}
  </span>
)
