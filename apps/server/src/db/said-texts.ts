/** Looks for words in a column that may hold kept sentences (contract/text.ts): as they are said in either language. */
import { toEnglish } from '@ithings/contract/english.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from './page.ts'
import type { Db } from './schema.ts'

/** Sentences of different values; further ones are not looked at. */
const mostSentences = 10_000

interface Look {
  column: RawBuilder<string>
  /** Table and condition, in which different sentences are few. */
  rows: RawBuilder<unknown>
  words: string
  /** The whole text, or anywhere in it. */
  whole: boolean
}

/** A condition on the column. */
export async function saidCondition(db: Db, { column, rows, words, whole }: Look): Promise<RawBuilder<boolean>> {
  const { rows: kept } = await sql<{ text: string }>`
    select distinct ${column} as text from ${rows} and strpos(${column}, chr(1)) > 0 limit ${mostSentences}`.execute(db)
  const fits = (said: string) => (whole ? said === words : said.toLowerCase().includes(words.toLowerCase()))
  const found = kept.map(({ text }) => text).filter((text) => [fill, toEnglish].some((by) => fits(sayKept(text, by))))
  const plain = whole ? sql`${column} = ${words}` : sql`${column} ilike ${containsPattern(words)}`
  return sql<boolean>`(${column} = any (${found}::text[]) or strpos(${column}, chr(1)) = 0 and ${plain})`
}
