import type { Api } from '@ithings/contract/features/apis.ts'
import type { Menu } from '@ithings/contract/features/menus.ts'
import type { Role } from '@ithings/contract/features/roles.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, App, Button, Segmented } from 'antd'
import { useState } from 'react'
import { ApiError } from '#api/api-error.ts'
import { usePreview } from '#api/use-preview.ts'
import { LeaveGuard } from '#kit/leave-guard.tsx'
import { RichText } from '#kit/rich-text.tsx'
import { describeError } from '#kit/states/describe-error.ts'
import { usePhone } from '#kit/use-phone.ts'
import { useMemo } from '#language/use-memo.ts'
import { readRights, useSaveRights } from '../queries.ts'
import { countAdded, countRemoved, diffRights, type Rights, sameRights } from '../rights-diff.ts'
import { suggestApis } from '../suggest-apis.ts'
import { ApiPanel } from './api-panel.tsx'
import { MenuPanel } from './menu-panel.tsx'
import { RightsConfirm } from './rights-confirm.tsx'
import { Suggestions } from './suggestions.tsx'

interface RightsDraft {
  rights: Rights
  /** What the draft started from. */
  base: Rights
  dirty: boolean
  setMenus: (menus: ReadonlySet<number>) => void
  setApis: (apis: ReadonlySet<string>) => void
  reset: () => void
}

/**
 * The chosen rights of one role. What the platform holds flows in while nothing was changed, and once it is what was
 * chosen (saved); a draft is never overwritten.
 */
function useRightsDraft(stored: Rights): RightsDraft {
  const [state, setState] = useState({ base: stored, rights: stored })
  const dirty = !sameRights(state.base, state.rights)
  const arrived = !sameRights(state.base, stored)
  if (arrived && (!dirty || sameRights(state.rights, stored))) setState({ base: stored, rights: stored })
  const change = (part: Partial<Rights>) => setState((before) => ({ ...before, rights: { ...before.rights, ...part } }))
  return {
    ...state,
    dirty,
    setMenus: (menus) => change({ menus }),
    setApis: (apis) => change({ apis }),
    reset: () => setState({ base: stored, rights: stored }),
  }
}

/** The diff to confirm is against what is stored now, not against what was stored when the page was opened. */
function useNewest(roleID: number) {
  const client = useQueryClient()
  const { message } = App.useApp()
  const [reading, setReading] = useState(false)
  const [newest, setNewest] = useState<Rights>()
  const read = async () => {
    setReading(true)
    try {
      setNewest(await readRights(client, roleID))
    } catch (error) {
      // A refused call has told about itself; this is for the rest (the role is gone).
      if (!(error instanceof ApiError)) void message.error(describeError(error).reason)
    } finally {
      setReading(false)
    }
  }
  return { newest, reading, read: () => void read(), forget: () => setNewest(undefined) }
}

interface RightsBarProps {
  dirty: boolean
  added: number
  removed: number
  saving: boolean
  onPreview: () => void
  onReset: () => void
  onSave: () => void
}

function RightsBar({ dirty, added, removed, saving, onPreview, onReset, onSave }: RightsBarProps) {
  return (
    <div className="rights-bar row gap-8">
      <span className="rights-changes inline-row to-end gap-8" role="status">
        {dirty ? (
          <>
            <span className="form-dirty small regular line-20 warning-text pad-x-8 round-4">{t('未保存')}</span>
            <RichText
              text={t('新增 <0>{added}</0> / 移除 <1>{removed}</1>', { added, removed })}
              parts={[<b key="added" />, <b key="removed" />]}
            />
          </>
        ) : (
          <span className="meta">{t('没有改动')}</span>
        )}
      </span>
      <Button disabled={dirty} title={dirty ? t('请先保存或撤销修改') : undefined} onClick={onPreview}>
        {t('以此角色预览')}
      </Button>
      <Button disabled={!dirty} onClick={onReset}>
        {t('撤销修改')}
      </Button>
      <Button type="primary" disabled={!dirty} loading={saving} onClick={onSave}>
        {t('保存')}
      </Button>
    </div>
  )
}

interface RightsEditorProps {
  role: Role
  menus: readonly Menu[]
  apis: readonly Api[]
  stored: Rights
  /** Role 1 holds everything and stays so. */
  readOnly: boolean
}

/** Menus and APIs side by side, one draft, one save. Mounted per role (key), so nothing of another role can be in it. */
export function RightsEditor({ role, menus, apis, stored, readOnly }: RightsEditorProps) {
  const phone = usePhone()
  const { message } = App.useApp()
  const save = useSaveRights()
  const preview = usePreview()
  const { rights, base, dirty, setMenus, setApis, reset } = useRightsDraft(stored)
  const [half, setHalf] = useState<'menus' | 'apis'>('menus')
  const { newest, reading, read, forget } = useNewest(role.id)
  const draft = useMemo(() => diffRights(base, rights, menus, apis), [base, rights, menus, apis])
  const suggestions = useMemo(() => suggestApis(menus, apis, rights), [menus, apis, rights])

  const menuPanel = <MenuPanel menus={menus} held={rights.menus} onChange={setMenus} readOnly={readOnly} />
  const apiPanel = (
    <ApiPanel
      apis={apis}
      held={rights.apis}
      onChange={setApis}
      readOnly={readOnly}
      notice={
        !readOnly && (
          <Suggestions suggestions={suggestions} onAdd={(keys) => setApis(new Set([...rights.apis, ...keys]))} />
        )
      }
    />
  )

  return (
    <div className={phone ? 'rights rights-phone' : 'rights'}>
      {readOnly && <Alert type="info" showIcon title={t('管理员角色始终拥有全部菜单和接口，不能修改。')} />}
      {phone && (
        <Segmented
          block
          size="large"
          value={half}
          onChange={setHalf}
          options={[
            { value: 'menus', label: t('菜单') },
            { value: 'apis', label: t('接口') },
          ]}
        />
      )}
      <div className="rights-panels gap-16 grid">
        {(!phone || half === 'menus') && menuPanel}
        {(!phone || half === 'apis') && apiPanel}
      </div>
      {!readOnly && (
        <RightsBar
          dirty={dirty}
          added={countAdded(draft)}
          removed={countRemoved(draft)}
          saving={reading}
          onPreview={() => void preview.start(role.id)}
          onReset={reset}
          onSave={read}
        />
      )}
      <LeaveGuard dirty={dirty} text={t('「{name}」的权限还没有保存，离开后修改将丢失。', { name: role.name })} />
      {newest && (
        <RightsConfirm
          roleName={role.name}
          members={role.users}
          diff={diffRights(newest, rights, menus, apis)}
          changedMeanwhile={!sameRights(newest, base)}
          onSave={async () => {
            await save.mutateAsync({ id: role.id, before: newest, after: rights })
            void message.success(t('更新成功'))
          }}
          onClose={forget}
        />
      )}
    </div>
  )
}
