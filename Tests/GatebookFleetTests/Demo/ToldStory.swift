/// What a demonstration printed.
struct ToldStory {
  /// A command that it showed, and what the command answered.
  struct Scene {
    var command: String
    var answer = ""
  }

  /// How many steps it has.
  private(set) var steps = 0
  private(set) var scenes: [Scene] = []

  init(_ output: String) {
    for line in output.split(separator: "\n") {
      if line.wholeMatch(of: /\d+\. .*/) != nil {
        steps += 1
      } else if let command = line.wholeMatch(of: #/   \$ (.*)/#)?.output.1 {
        scenes.append(Scene(command: String(command)))
      } else if !scenes.isEmpty {
        scenes[scenes.count - 1].answer += line + "\n"
      }
    }
  }

  /// What the commands that begin like this answered, the rest of their lines included.
  func answers(to beginning: String) -> [String] {
    scenes.filter { $0.command.hasPrefix(beginning) }.map(\.answer)
  }
}
