import { ArrowLeftOutlined, EditOutlined, HistoryOutlined, MoreOutlined } from '@ant-design/icons'
import { createScene, SceneStatus, updateScene } from '@ithings/contract/features/scenes/info.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Dropdown, Input, Switch, Tooltip } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { usePageName } from '#kit/page-name.ts'
import { paths } from '#kit/paths.ts'
import { May } from '#kit/rights.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { itemAnchor, useEditor } from '../editor-context.ts'
import { useSceneMenu } from './use-scene-menu.tsx'

interface SceneHeaderProps {
  changes: number
  saving: boolean
  onSave: () => void
  onDiscard: () => void
  onRuns: () => void
}

function NameField() {
  const { draft, scene, change, faults, strict, frozen } = useEditor()
  // A new scene needs its name first.
  const [editing, setEditing] = useState(scene === undefined)
  const fault = faults.find(({ part }) => part === 'name')
  const bad = fault && (strict || draft.name !== '')
  if (frozen || (!editing && !bad)) {
    return (
      <h1 className="scene-title size-20 line-28 row shrink bare bold gap-4">
        <span className="anywhere" title={draft.name}>
          {draft.name}
        </span>
        <Button
          type="text"
          icon={<EditOutlined />}
          aria-label={t('修改名称')}
          disabled={frozen}
          onClick={() => setEditing(true)}
        />
      </h1>
    )
  }
  return (
    // Without a label the heading is called by what is written in the field: by nothing at first.
    <h1
      className="scene-title size-20 line-28 row shrink bare bold gap-4"
      id={itemAnchor('name')}
      aria-label={draft.name.trim() || t('新增场景')}
    >
      <Input
        className="scene-title-input bold fit"
        aria-label={t('场景名称')}
        placeholder={t('场景名称')}
        maxLength={64}
        autoFocus
        status={bad ? 'error' : ''}
        value={draft.name}
        onChange={(event) => change((old) => ({ ...old, name: event.target.value }))}
        onBlur={() => setEditing(draft.name.trim() === '')}
        onPressEnter={() => setEditing(draft.name.trim() === '')}
      />
    </h1>
  )
}

function StatusSwitch() {
  const { draft, change, frozen } = useEditor()
  const on = draft.status === SceneStatus.enabled
  return (
    <span className="scene-status inline-row nowrap softer gap-8">
      <Switch
        size="small"
        aria-label={t('启用场景')}
        checked={on}
        disabled={frozen}
        onChange={(next) => change((old) => ({ ...old, status: next ? SceneStatus.enabled : SceneStatus.disabled }))}
      />
      {on ? t('已启用') : t('已禁用')}
    </span>
  )
}

/** Identity and state on the left, the few actions on the right, one primary button. */
export function SceneHeader({ changes, saving, onSave, onDiscard, onRuns }: SceneHeaderProps) {
  const { draft, scene, faults, refusals } = useEditor()
  const navigate = useNavigate()
  const phone = usePhone()
  usePageName(scene ? scene.name : t('新增场景'))
  const menu = useSceneMenu(changes > 0)
  const first = faults[0] ?? refusals[0]
  const why = first
    ? t('{place}：{text}', { place: first.place, text: first.text })
    : scene && changes === 0
      ? t('没有修改')
      : undefined
  return (
    <header className="gap-8-12 high-36 row wrap">
      <Button
        type="text"
        icon={<ArrowLeftOutlined />}
        aria-label={t('返回场景列表')}
        onClick={() => void navigate(paths.scenes)}
      />
      <NameField />
      <span className="pad-x-8 round-4 tint-fill tone-processing nowrap small" style={{ lineHeight: '22px' }}>
        {t(triggerTypeLabels[draft.triggerType])}
      </span>
      <StatusSwitch />
      {changes > 0 && (
        <span className="scene-changes tone-warning inline-row nowrap small gap-6" role="status">
          {t('{count} 处修改未保存', { count: changes })}
        </span>
      )}
      <div className="scene-actions to-end row gap-8">
        {scene && (
          <Button type="text" icon={<HistoryOutlined />} onClick={onRuns}>
            {t('执行记录')}
          </Button>
        )}
        {scene && (
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: menu }}>
            <Button icon={<MoreOutlined />} aria-label={t('更多操作')} />
          </Dropdown>
        )}
        {changes > 0 && !saving && <Button onClick={onDiscard}>{phone ? t('放弃') : t('放弃修改')}</Button>}
        <May needs={scene ? updateScene : createScene}>
          <Tooltip title={why} placement="bottomRight">
            <Button type="primary" disabled={why !== undefined} loading={saving} onClick={onSave}>
              {t('保存')}
            </Button>
          </Tooltip>
        </May>
      </div>
    </header>
  )
}
