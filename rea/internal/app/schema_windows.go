package app

// absolutePath is what the contract takes for an absolute path.
const absolutePath = `^([A-Za-z]:|[\\/]{2}[^\\/\x00]+[\\/]+[^\\/\x00]+)[\\/][^\x00]*$`
