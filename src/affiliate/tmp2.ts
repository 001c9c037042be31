import { factsOf } from './facts.ts'
import { match } from './match.ts'
const [a,b]=process.argv.slice(2).map(title=>factsOf({title,brand:null,category:null}))
console.log(a,b,match(a!,b!))
