import { t } from '@ithings/contract/text.ts'
import { Alert } from 'antd'
import { PhoneModal } from '#kit/phone-modal.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { useAttempt } from '#kit/use-attempt.ts'
import { type Change, countAdded, countRemoved, type RightsDiff } from '../rights-diff.ts'

function Names({ sign, tone, names }: { sign: string; tone: string; names: string[] }) {
  if (names.length === 0) return null
  return (
    <div className="flex baseline gap-12" style={{ paddingBlock: 4 }}>
      <span className={`diff-count fixed tone-${tone}`}>
        {sign} {names.length}
      </span>
      <span className="flex wrap" style={{ gap: '4px 6px' }}>
        {names.map((name) => (
          <span key={name} className={`small-tag tone-${tone} ${tone === 'error' ? 'diff-gone' : ''}`}>
            {name}
          </span>
        ))}
      </span>
    </div>
  )
}

function Part({ title, change }: { title: string; change: Change }) {
  const untouched = change.added.length + change.removed.length === 0
  return (
    <section>
      <h3 className="subtitle below-4">{title}</h3>
      {untouched && <span className="meta">{t('没有变化')}</span>}
      <Names sign={t('新增')} tone="success" names={change.added} />
      <Names sign={t('移除')} tone="error" names={change.removed} />
    </section>
  )
}

export interface RightsConfirmProps {
  roleName: string
  members: number
  diff: RightsDiff
  /** Somebody else changed the role since the page was opened. */
  changedMeanwhile: boolean
  onSave: () => Promise<unknown>
  onClose: () => void
}

/** The step before saving: what comes and what goes, by name. */
export function RightsConfirm({ roleName, members, diff, changedMeanwhile, onSave, onClose }: RightsConfirmProps) {
  const { busy, failure, attempt } = useAttempt()
  const counts = { added: countAdded(diff), removed: countRemoved(diff) }
  const save = () => attempt(() => onSave().then(onClose))
  return (
    <PhoneModal
      title={t('保存「{name}」的权限', { name: roleName })}
      open
      width={640}
      onCancel={busy ? undefined : onClose}
      onOk={() => void save()}
      confirmLoading={busy}
      okText={t('确认保存')}
      cancelText={t('返回修改')}
      cancelButtonProps={{ disabled: busy }}
    >
      <p className="diff-summary below-12 bare softer">
        <RichText
          text={
            members > 0
              ? t('新增 <0>{added}</0> 项，移除 <1>{removed}</1> 项。{count} 名成员立即生效，无需重新登录。', {
                  ...counts,
                  count: members,
                })
              : t('新增 <0>{added}</0> 项，移除 <1>{removed}</1> 项。目前没有成员受影响。', counts)
          }
          parts={[<b key="added" />, <b key="removed" />]}
        />
      </p>
      {changedMeanwhile && (
        <Alert
          type="warning"
          showIcon
          title={t('打开本页后有人改过这个角色的权限。以下是与最新内容的差异，保存后以你的选择为准。')}
        />
      )}
      <div className="scroll column gap-16" style={{ maxHeight: '50vh', marginBlock: 12 }}>
        <Part title={t('菜单')} change={diff.menus} />
        <Part title={t('接口')} change={diff.apis} />
      </div>
      {failure && <Alert type="error" showIcon title={failure} />}
    </PhoneModal>
  )
}
