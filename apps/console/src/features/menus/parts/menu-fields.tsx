import { labelled } from '@ithings/contract/describe-issue.ts'
import {
  HideInMenu,
  hideInMenuLabels,
  type Menu,
  MenuType,
  menuIcons,
  menuTypeLabels,
} from '@ithings/contract/features/menus.ts'
import { t } from '@ithings/contract/text.ts'
import { AutoComplete, Form, type FormRule, Input, InputNumber, Radio, Tooltip, TreeSelect } from 'antd'
import { MenuGlyph } from '#blocks/menu-icon.tsx'
import { Field } from '#kit/form/field.tsx'
import { menuIconNames, menuTypeHints } from '../labels.ts'
import { buildTree, parentOptions, pathOwner } from '../menu-tree.ts'

/** The thirteen icons of spec 2, to be seen before they are chosen. */
function IconGallery({ id, value, onChange }: { id?: string; value?: string; onChange?: (icon: string) => void }) {
  return (
    <Radio.Group
      {...(id !== undefined && { id })}
      className="icon-gallery"
      value={value}
      onChange={(event) => onChange?.(String(event.target.value))}
    >
      {menuIcons.map((icon) => (
        <Tooltip key={icon} title={t('{name}（{icon}）', { name: t(menuIconNames[icon]), icon })}>
          <Radio.Button value={icon} aria-label={t(menuIconNames[icon])}>
            <MenuGlyph name={icon} size={20} />
          </Radio.Button>
        </Tooltip>
      ))}
    </Radio.Group>
  )
}

/** A page of this console; handed in by the app, which knows them. */
export interface KnownPath {
  path: string
  title: string
}

interface MenuFieldsProps {
  list: readonly Menu[]
  knownPaths: readonly KnownPath[]
  self: number | undefined
  defaultIcon: string
}

const typeChoices = () => Object.values(MenuType).map((value) => ({ value, label: t(menuTypeLabels[value]) }))
const hideChoices = () => Object.values(HideInMenu).map((value) => ({ value, label: t(hideInMenuLabels[value]) }))

const refuse = (text: string | undefined) => (text ? Promise.reject(new Error(text)) : Promise.resolve())

const neededForPages = (label: string): FormRule => ({
  validator: (_rule, value: unknown) => refuse(value ? undefined : labelled(label, t('不能为空：类型为菜单时必填'))),
})

/** The rules of a page's path: given, used by nobody else, and (a warning only) known to this console. */
function pathRules({ list, knownPaths, self }: MenuFieldsProps): FormRule[] {
  const known = new Set(knownPaths.map((one) => one.path))
  return [
    neededForPages(t('路由地址')),
    {
      validator: (_rule, value: unknown) => {
        const owner = pathOwner(list, String(value ?? '').trim(), self)
        return refuse(owner && t('路由 {path} 已被菜单「{name}」使用', { path: owner.path, name: owner.name }))
      },
    },
    {
      warningOnly: true,
      validator: (_rule, value: unknown) =>
        refuse(!value || known.has(String(value).trim()) ? undefined : t('本控制台没有这个页面，菜单会显示为不可点击')),
    },
  ]
}

const contains = (input: string, option?: { label: string }) =>
  option?.label.toLowerCase().includes(input.toLowerCase()) ?? false

/** What only a page has: its address and the file that draws it. */
function PageFields(props: MenuFieldsProps) {
  const { list, knownPaths, self } = props
  const form = Form.useFormInstance()
  const choices = knownPaths.map(({ path, title }) => {
    const owner = pathOwner(list, path, self)
    return { value: path, label: `${path}　${t(title)}${owner ? t('（已使用）') : ''}`, disabled: owner !== undefined }
  })
  const pick = (path: string) => {
    // The public platform's consoles load the page from this file; theirs are named after the path.
    if (!form.getFieldValue('component')) form.setFieldValue('component', `.${path}`)
  }
  return (
    <>
      <Field name="path" label={t('路由地址')} required rules={pathRules(props)}>
        <AutoComplete
          options={choices}
          showSearch={{ filterOption: contains }}
          onSelect={pick}
          placeholder={t('从本控制台的页面中选择，或输入以 / 开头的路径')}
        />
      </Field>
      <Field name="component" label={t('文件路径')} required rules={[neededForPages(t('文件路径'))]}>
        <Input maxLength={256} placeholder={t('例如 ./systemMangers/menu/index')} />
      </Field>
    </>
  )
}

function MenuPreview({ defaultIcon }: Pick<MenuFieldsProps, 'defaultIcon'>) {
  const name: unknown = Form.useWatch('name')
  const icon: unknown = Form.useWatch('icon')
  return (
    <div className="row gap-12" style={{ margin: '-12px 0 24px' }}>
      <span className="meta">{t('预览')}</span>
      <span
        className="link round-6 tint-fill inline-row bold gap-8"
        style={{ minWidth: 184, height: 36, padding: '0 12px' }}
      >
        <MenuGlyph name={String(icon || defaultIcon)} />
        {String(name || t('菜单名称'))}
      </span>
    </div>
  )
}

export function MenuFields(props: MenuFieldsProps) {
  const { list, knownPaths, self, defaultIcon } = props
  const type: unknown = Form.useWatch('type')
  return (
    <>
      <Field name="parentID" label={t('父菜单')}>
        <TreeSelect
          treeData={parentOptions(buildTree(list), self)}
          showSearch={{ treeNodeFilterProp: 'title' }}
          treeDefaultExpandAll
          placeholder={t('选择父菜单')}
        />
      </Field>
      <Field name="type" label={t('类型')} extra={t(menuTypeHints[(type as MenuType) ?? MenuType.page])}>
        <Radio.Group optionType="button" options={typeChoices()} />
      </Field>
      <Field name="name" label={t('菜单名称')}>
        <Input maxLength={32} placeholder={t('显示在左侧菜单中的名称')} />
      </Field>
      <Field name="nameEn" label={t('英文名称')} extra={t('可以不填；填写后，使用英文的人看到这个名称。')}>
        <Input maxLength={64} />
      </Field>
      {type === MenuType.page && <PageFields {...props} />}
      {type === MenuType.directory && (
        <Field name="path" label={t('路由地址')} extra={t('可以不填；/systemMangers 下的菜单只对管理员显示。')}>
          <Input maxLength={256} placeholder={t('例如 /systemMangers')} />
        </Field>
      )}
      {type !== MenuType.button && (
        <>
          <Field name="redirect" label={t('路由重定向')} extra={t('可以不填；供同样读取这份菜单的其他控制台使用。')}>
            <AutoComplete
              options={knownPaths.map(({ path, title }) => ({ value: path, label: `${path}　${t(title)}` }))}
              showSearch={{ filterOption: contains }}
              placeholder={t('以 / 开头的路径')}
            />
          </Field>
          <Field name="icon" label={t('图标')}>
            <IconGallery />
          </Field>
          <MenuPreview defaultIcon={defaultIcon} />
        </>
      )}
      <div className="flex wrap" style={{ gap: '0 48px' }}>
        <Field name="order" label={t('排序')} extra={t('小的在前')}>
          <InputNumber min={0} max={99_999} precision={0} />
        </Field>
        {type !== MenuType.button && (
          <Field name="hideInMenu" label={t('是否隐藏')} extra={t('隐藏后仍可通过链接打开')}>
            <Radio.Group options={hideChoices()} />
          </Field>
        )}
      </div>
    </>
  )
}
