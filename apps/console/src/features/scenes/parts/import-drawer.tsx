import { SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { describeScene } from '@ithings/contract/rules/describe.ts'
import type { SceneParts } from '@ithings/contract/rules/scene-text.ts'
import { triggerTypeLabels } from '@ithings/contract/rules/scene-text.ts'
import { t } from '@ithings/contract/text.ts'
import { useState } from 'react'
import { FileImport } from '#blocks/file-import.tsx'
import { useSceneWork } from '../queries.ts'
import { newSceneOf, type ReadScene, readScenes } from '../read-scene-file.ts'
import { freeName } from '../scene-file.ts'
import { SceneRule } from './scene-rule.tsx'
import { productsOf, useImportNames } from './use-import-names.ts'

interface NamedScene extends ReadScene {
  /** The name in the file, when it was taken here. */
  renamedFrom?: string
}

/** A name that is taken here, or by a scene further up in the file, gets a number. */
function named(text: string, taken: Set<string>): NamedScene[] {
  return readScenes(text).map((read) => {
    if (!read.parts) return read
    const name = freeName(read.name, taken)
    taken.add(name)
    return { ...read, name, ...(name !== read.name && { renamedFrom: read.name }) }
  })
}

function About({ row, names, gone }: { row: NamedScene } & ReturnType<typeof useImportNames>) {
  if (!row.parts) return null
  const said = describeScene(row.parts, names)
  const trigger = t(triggerTypeLabels[row.parts.triggerType])
  const missing = productsOf(row.parts).filter((id) => gone?.has(id))
  return (
    <>
      <div className="meta">
        {row.renamedFrom === undefined
          ? trigger
          : t('{trigger}，名称「{name}」已存在，将改名导入', { trigger, name: row.renamedFrom })}
      </div>
      <SceneRule
        scene={{
          triggerType: row.parts.triggerType,
          triggerText: said.trigger,
          whenText: said.when,
          thenText: said.then,
        }}
      />
      {missing.length > 0 && (
        <div className="meta tone-warning">{t('本平台没有产品 {products}', { products: missing.join(t('、')) })}</div>
      )}
    </>
  )
}

/** The counterpart of 导出: a file of scenes is checked and shown in sentences before anything is created. */
export function ImportDrawer(opened: { open: boolean; onClose: () => void }) {
  const work = useSceneWork()
  const [parts, setParts] = useState<SceneParts[]>([])
  const known = useImportNames(parts)
  return (
    <FileImport<NamedScene>
      {...opened}
      width={720}
      what="scene"
      option={{ label: t('沿用文件中的启用状态'), help: t('关闭则全部导入为禁用，检查之后再逐个启用') }}
      fileHelp={t('先检查，确认后才会创建。产品、分组、通知渠道和被执行的场景按编号对应，关联告警不在文件中。')}
      read={async (text) => {
        const rows = named(text, await work.takenNames())
        setParts(rows.flatMap((row) => row.parts ?? []))
        return rows
      }}
      make={async ({ parts: own, name, desc, enabled }, asInFile) => {
        const status = asInFile && enabled ? SceneStatus.enabled : SceneStatus.disabled
        if (own) await work.add(newSceneOf(own, name, desc, status))
      }}
      refresh={work.refresh}
      renamed={({ renamedFrom: _, ...row }) => row}
      badText={() => t('不能导入')}
      about={(row) => <About row={row} {...known} />}
    />
  )
}
