//! Who plays which side. Start at [`Players`].

use clap::ValueEnum;

use crate::cli::play::ending::name;
use crate::types::Color;

/// A human or the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum Player {
    Human,
    Engine,
}

/// The players of a game, by colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Players([Player; 2]);

impl Players {
    pub(crate) const fn new(white: Player, black: Player) -> Self {
        Self([white, black])
    }

    /// A human with `color` against the engine.
    pub(crate) fn human_with(color: Color) -> Self {
        let mut players = [Player::Engine; 2];
        players[color.index()] = Player::Human;
        Self(players)
    }

    pub(crate) fn of(self, color: Color) -> Player {
        self.0[color.index()]
    }

    /// Returns the human's colour in a game against the engine.
    pub(crate) fn lone_human(self) -> Option<Color> {
        match self.0 {
            [Player::Human, Player::Engine] => Some(Color::White),
            [Player::Engine, Player::Human] => Some(Color::Black),
            _ => None,
        }
    }

    /// Returns how many sides the engine plays.
    pub(crate) fn engines(self) -> usize {
        self.0.iter().filter(|&&player| player == Player::Engine).count()
    }

    /// Returns what the player of `color` is called in a sentence.
    pub(crate) fn who(self, color: Color) -> &'static str {
        match (self.lone_human(), self.of(color)) {
            (None, _) => name(color),
            (_, Player::Human) => "You",
            (_, Player::Engine) => "Damero",
        }
    }

    /// Returns a sentence that says who plays.
    pub(crate) fn text(self) -> String {
        match (self.lone_human(), self.engines()) {
            (Some(color), _) => format!("You play {}.", name(color)),
            (None, 0) => "Two players at one board.".to_owned(),
            _ => "Damero plays itself.".to_owned(),
        }
    }
}
