//! The chat endpoint, as this server uses it.

use std::sync::Arc;

use jiff::Timestamp;
use slovo_analysis::chat::{Chat, Question, TimeSource, Turn};
use slovo_analysis::{AnalysisError, Analyst, Stop, Text};
use slovo_db::texts::assistant::{Message, Role};
use slovo_rules::analysis::EngineName;

use super::assistant::{Answer, Answers};
use super::embedded::EmbeddedModel;
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;

/// The server's clock and random source, for the endpoint client.
pub struct ServerPace {
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The random source.
    pub random: Arc<dyn Random>,
}

impl TimeSource for ServerPace {
    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn jitter(&self) -> f64 {
        let mut bytes = [0; 4];
        self.random.fill(&mut bytes);
        f64::from(u32::from_le_bytes(bytes)) / (f64::from(u32::MAX) + 1.0)
    }
}

/// Answers questions through the endpoint; for a long text the embedded model selects the passages.
pub struct ChatAnswers {
    /// The endpoint.
    pub chat: Arc<Chat>,
    /// The embedded model, if installed.
    pub embedded: Option<Arc<EmbeddedModel>>,
}

impl Answers for ChatAnswers {
    fn name(&self) -> EngineName {
        Analyst::name(&*self.chat)
    }

    fn answer(
        &self,
        text: &Text,
        before: &[Message],
        question: &str,
        stop: &dyn Stop,
        piece: &mut (dyn FnMut(&str) + Send),
    ) -> Result<Answer, AnalysisError> {
        let history = turns(before);
        let relevance = |question: &str, texts: &[&str]| {
            let embedded = self.embedded.as_ref()?;
            embedded.closeness(question, texts, stop)
        };
        let full_question = Question {
            text,
            history: &history,
            question,
            relevance: Some(&relevance),
        };
        let answer = self.chat.assistant(&full_question, stop, piece)?;
        match answer.failure {
            // The partial answer has been shown and is kept, marked as incomplete.
            Some(error) => Err(error),
            None => Ok(Answer {
                text: answer.text,
                moments: answer.moments,
            }),
        }
    }
}

/// Questions with their answers. A question without an answer is skipped.
fn turns(messages: &[Message]) -> Vec<Turn> {
    messages
        .windows(2)
        .filter_map(|pair| match pair {
            [question, answer]
                if question.role == Role::User
                    && answer.role == Role::Assistant
                    && !answer.incomplete =>
            {
                Some(Turn {
                    question: question.text.clone(),
                    answer: answer.text.clone(),
                })
            }
            _ => None,
        })
        .collect()
}
