/**
 * `npm run mutants -- [--only TEXT]… [--seconds 150] [--json FILE]`: plants each fault of the table
 * in a copy of the tree, runs the tests that should find it, and prints which one did. Ends with
 * status 1 where a fault survived, or where its text does not stand in one place.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Planter, type Finding } from './plant.ts'
import { groups, type Group, type Mutant } from './table.ts'

/** Tests that hang are ended after this. */
const SECONDS_DEFAULT = 150

const { values } = parseArgs({ options: {
  only: { type: 'string', multiple: true, default: [''] }, json: { type: 'string' },
  seconds: { type: 'string', default: String(SECONDS_DEFAULT) },
} })
const print = (text: string): void => { process.stdout.write(`${text}\n`) }
const planter = new Planter(Number(values.seconds))
const findings: Finding[] = []

/**
 * A test that fails without the fault as well did not find it: earlier faults left something
 * behind, or a test does not always pass.
 */
async function plant(group: Group, mutant: Mutant): Promise<Finding> {
  for (let turn = 0; ; turn += 1) {
    const finding = await planter.plant(group, mutant)
    if (finding.outcome !== 'killed') return finding
    const { outcome, by } = await planter.firstFailure([finding.by.split(':')[0] as string])
    if (outcome === 'survived') return finding
    if (turn > 0) return { ...finding, outcome: 'error', by: `without the fault: ${by}` }
    await planter.restart()
  }
}

try {
  for (const group of groups) {
    const chosen = group.mutants.filter(({ why, text }) =>
      values.only.some((part) => `${group.area} ${why} ${text}`.includes(part)))
    for (const mutant of chosen) {
      const finding = await plant(group, mutant)
      findings.push(finding)
      const { area, file, why, outcome, by } = finding
      print(`| ${area} | ${why} | ${file} | ${outcome === 'killed' ? by : `${outcome} ${by}`} |`)
      if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(findings, null, 2))
    }
  }
} finally {
  await planter.close()
}
const bad = findings.filter(({ outcome }) => outcome === 'survived' || outcome === 'error')
print(`${findings.length} faults, ${findings.length - bad.length} found, ${bad.length} not`)
process.exitCode = bad.length > 0 ? 1 : 0
